/* A goto to a goto. */
byte x;
active proctype A() { x = 1; goto L; M: x = 3; goto E; L: goto M; E: x = 4 }
