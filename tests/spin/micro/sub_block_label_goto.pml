/* A loop by goto only. */
byte x;
active proctype A() { L: x = 1 - x; goto L }
