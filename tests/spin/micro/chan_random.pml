/* A random receive takes the oldest message that matches: one successor. */
chan c = [3] of { byte, byte };
active proctype A() { byte x; c!1,1; c!2,5; c!2,6; c??2,x; assert(x == 5 && len(c) == 2) }
