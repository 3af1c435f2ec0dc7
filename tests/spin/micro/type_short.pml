/* short wraps in 16 bits with sign. */
short x = 32767;
active proctype A() { x++; assert(x == -32768) }
