/* A rendezvous send as the guard of a d_step. */
byte x;
chan c = [0] of { byte };
active proctype A() { x = 1; c!0 }
active proctype B() { d_step { c?_; x = 2; x = 3 } }
