/* enabled cannot be combined with rendezvous. */
chan c = [0] of { byte };
byte x;
active proctype A() { c!1 }
active proctype B() { c?1; x = enabled(0) }
