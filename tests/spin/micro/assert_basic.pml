/* The step that violates leads to no stored state. */
byte x;
active proctype A() { x = 1; assert(x == 0); x = 2 }
