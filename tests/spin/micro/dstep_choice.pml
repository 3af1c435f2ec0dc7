/* Inside a d_step the first executable option is taken. */
byte x;
active proctype A() { d_step { if :: false -> x = 1 :: x = 2 :: x = 3 fi; x = x + 10 }; assert(x == 12) }
