/* A rendezvous is one step of two processes. */
chan c = [0] of { byte };
active proctype A() { c!7 }
active proctype B() { byte x; c?x; assert(x == 7) }
