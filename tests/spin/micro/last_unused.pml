/* The same without it. */
byte x;
active [2] proctype A() { x = 1; x = 0; assert(x >= 0) }
