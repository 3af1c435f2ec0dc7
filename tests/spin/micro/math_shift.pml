/* Shifts are those of C int; a right shift keeps the sign. */
int a = -8, b = 1;
active proctype A() { assert(a >> 1 == -4 && b << 31 < 0 && (b << 4) == 16) }
