/* A declaration in a block is an assignment, done each time control passes, a step of its own. */
byte n;
active proctype A() { do :: n < 2 -> { byte x = 5; assert(x == 5); x = 6; n++ } :: else -> break od }
