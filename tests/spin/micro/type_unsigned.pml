/* unsigned : n keeps n bits. */
unsigned u : 3 = 7;
active proctype A() { u = u + 1; assert(u == 0); u = 13; assert(u == 5); u = -1; assert(u == 7) }
