/* A d_step in a claim. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: d_step { x == 1 -> assert(x == 2) } :: else od }
