/* Logical operators give 0 or 1. */
int a = 5;
active proctype A() { assert((a && 3) == 1 && !a == 0 && (a > 3) + 1 == 2) }
