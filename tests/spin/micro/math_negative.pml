/* Division and modulo of negative numbers round to zero, as in C. */
int a = -7;
active proctype A() { assert(a / 2 == -3 && a % 2 == -1 && a % 3 == -1 && 7 % -3 == 1) }
