/* A goto from within an atomic into the midst of another one: control is kept. */
byte x, y;
active proctype A() { atomic { x = 1; goto L }; x = 9; atomic { x = 2; L: x = 3; x = 4 } }
active proctype B() { y = 1; y = 2 }
