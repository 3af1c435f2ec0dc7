/* else beside a rendezvous send is not taken when a partner is ready. */
byte x;
chan c = [0] of { byte };
active proctype A() { if :: c!1 :: else -> x = 1 fi }
active proctype B() { end: c?_ }
