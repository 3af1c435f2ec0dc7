/* A goto as an option of its own is a step. */
byte x;
active proctype A() { do :: x < 3 -> x++ :: goto L od; L: x = 7 }
