/* A loop variable declared in a block. */
byte n;
active proctype A() { { byte i; for (i : 0 .. 1) { n++ } } ; n = 9 }
