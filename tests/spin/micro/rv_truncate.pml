/* A field is truncated to its type in a rendezvous, too. */
int y;
chan c = [0] of { byte };
active proctype A() { c!257 }
active proctype B() { c?y; assert(y == 1) }
