/* So it is without an initialiser: the variable is set to 0 in passing, hence the assertion fails. */
byte n;
active proctype A() { do :: n < 2 -> { byte x; assert(x == n); x = x + 1; n++ } :: else -> break od }
