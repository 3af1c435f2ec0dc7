/* byte wraps modulo 256. */
byte x = 255; byte y;
active proctype A() { x++; assert(x == 0); x--; assert(x == 255); y = -1; assert(y == 255); y = 1000; assert(y == 232) }
