/* A goto as the first statement of a process is a step. */
byte x;
active proctype A() { goto L; x = 2; L: x = 3 }
