/* enabled and pc_value. */
byte x;
active proctype A() { x == 1; x = 2 }
active proctype B() { assert(!enabled(0)); x = 1; assert(enabled(0) || x == 2) }
