/* A goto with a label of progress is a step; with another label it is none. */
byte x;
active proctype A() { x = 1; progress: goto K; x = 9; K: x = 2; plain: goto L; x = 9; L: x = 3 }
