/* A channel with an initialiser in a block is refused. */
byte n;
active proctype A() { do :: n < 2 -> { chan c = [2] of { byte }; c!n; n++ } :: else -> assert(len(c) == 2); break od }
