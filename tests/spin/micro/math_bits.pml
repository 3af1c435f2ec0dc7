/* Bit operators. */
byte a = 6;
active proctype A() { assert((a & 3) == 2 && (a | 1) == 7 && (a ^ 5) == 3 && ~a == -7) }
