/* An assertion fails inside a d_step. */
byte x;
active proctype A() { d_step { x = 1; assert(x == 2); x = 3 } }
