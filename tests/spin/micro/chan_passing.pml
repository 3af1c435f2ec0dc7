/* A channel is passed in a message; ids count from 1, globals first. */
chan c = [1] of { chan };
chan d = [1] of { byte };
active proctype A() { c!d; assert(c == 1 && d == 2) }
active proctype B() { chan e; c?e; e!9; assert(len(d) == 1); d?_ }
