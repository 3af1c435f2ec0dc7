/* A jump into an atomic: exclusive from there on. */
byte x;
active proctype A() { goto L; atomic { x = 1; L: x = 2; x = 3 } }
active proctype B() { assert(x != 2) }
