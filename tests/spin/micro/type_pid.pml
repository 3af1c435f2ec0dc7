/* pid is a byte. */
pid p;
active proctype A() { p = 256; assert(p == 0) }
