/* A declaration inside an atomic and inside a d_step. */
byte n;
active proctype A() { atomic { byte x = 5; n = x }; d_step { byte y = 6; n = y }; n = 7 }
