/* else beside a rendezvous send without a partner is taken. */
byte x;
chan c = [0] of { byte };
active proctype A() { if :: c!1 :: else -> x = 1 fi; assert(x == 1) }
