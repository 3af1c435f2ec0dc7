/* printf with values has no effect in a verification. */
byte x;
active proctype A() { do :: x < 2 -> printf("%d %e\n", x, x); x++ :: else -> break od }
