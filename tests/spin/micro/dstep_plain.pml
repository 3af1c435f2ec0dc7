/* A d_step is one step. */
byte x;
active proctype A() { d_step { x = 1; x = 2; x = 3 }; x = 4 }
active proctype B() { assert(x != 1) }
