/* A goto out of a d_step is refused. */
byte x;
active proctype A() { d_step { x = 1; goto L }; x = 2; L: x = 3 }
