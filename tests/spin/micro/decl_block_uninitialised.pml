/* Without an initialiser a block variable keeps its old value when passed again. */
byte n;
active proctype A() { do :: n < 2 -> { byte x; assert(x == n); x = x + 1; n++ } :: else -> break od }
