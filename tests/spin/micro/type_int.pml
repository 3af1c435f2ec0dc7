/* int wraps in 32 bits. */
int x = 2147483647;
active proctype A() { x = x + 1; assert(x < 0) }
