/* The guard of a d_step may block. */
byte x, y;
active proctype A() { d_step { y == 1; x = 1; x = 2 }; x = 3 }
active proctype B() { y = 1 }
