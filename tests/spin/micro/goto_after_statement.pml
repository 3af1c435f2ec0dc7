/* A goto behind a statement is no step: the statement leads to its target. */
byte x;
active proctype A() { x = 1; goto L; x = 2; L: x = 3 }
