/* A poll is an expression without effect. */
chan c = [2] of { byte, byte };
active proctype A() { c!1,2; c!3,4; assert(c?[1,2]); assert(!c?[3,4]); assert(c??[3,4]); assert(len(c) == 2) }
