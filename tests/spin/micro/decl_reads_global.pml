/* An initialiser that reads a global: the value at creation or in passing? */
byte g = 1;
active proctype A() { g = 7; byte x = g; assert(x == 1) }
