/* A goto as the first statement is no step either: the process starts at its target. */
byte x;
active proctype A() { goto L; x = 2; L: x = 3 }
