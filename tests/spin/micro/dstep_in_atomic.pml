/* A d_step inside an atomic. */
byte x;
active proctype A() { atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype B() { assert(x == 0 || x == 4 || x == 5) }
