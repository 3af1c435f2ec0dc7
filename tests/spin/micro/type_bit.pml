/* bit and bool keep the lowest bit only. */
bit b; bool c;
active proctype A() { b = 2; assert(b == 0); c = 3; assert(c == 1); b = -1; assert(b == 1) }
