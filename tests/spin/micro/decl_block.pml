/* A declaration with an initialiser in a block is executed at process creation, not in passing. */
byte n;
active proctype A() { do :: n < 2 -> { byte x = 5; assert(x == 5); x = 6; n++ } :: else -> break od }
