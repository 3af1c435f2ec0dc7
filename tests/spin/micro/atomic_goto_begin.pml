/* A goto from within an atomic to a label before another one. */
byte x, y;
active proctype A() { atomic { x = 1; goto L }; x = 9; L: atomic { x = 2; x = 3; x = 4 } }
active proctype B() { y = 1; y = 2 }
