/* The same, for a rendezvous. */
chan a = [0] of { bit, bit }; chan b = [0] of { byte, byte };
bool x[2];
active proctype S() { b!5,7 }
active proctype R() { a = b; a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
