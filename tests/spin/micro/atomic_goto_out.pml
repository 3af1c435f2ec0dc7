/* A jump out of an atomic ends it. */
byte x;
active proctype A() { atomic { x = 1; goto L; x = 2 }; x = 3; L: x = 4; x = 5 }
active proctype B() { assert(x != 2 && x != 3) }
