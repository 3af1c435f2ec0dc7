/* A copy receive leaves the message. */
chan c = [2] of { byte };
active proctype A() { byte x; c!4; c?<x>; assert(x == 4 && len(c) == 1); c??<x>; assert(len(c) == 1); x = 0 }
