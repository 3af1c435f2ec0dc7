/* The same in a rendezvous. */
chan c = [0] of { byte, byte };
active proctype A() { c!1,1 }
active proctype B() { byte x; c?x }
