/* An escape does not interrupt a d_step. */
byte x;
active proctype A() { { d_step { x = 1; x = 2; x = 3 }; x = 4 } unless { x == 2 -> x = 9 }; assert(x != 9) }
