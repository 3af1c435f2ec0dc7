/* A d_step that begins with a selection: options that begin with an assignment are left out of its guard, so this one never runs. */
byte x;
active proctype A() { d_step { if :: false -> x = 1 :: x = 2 :: x = 3 fi; x = x + 10 }; assert(x == 12) }
