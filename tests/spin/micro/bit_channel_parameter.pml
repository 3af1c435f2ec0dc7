/* A parameter can be any channel, also after an assignment. */
chan b = [1] of { byte, byte }; chan d = [1] of { bit, bit };
bool x[2];
proctype P(chan a) { a = b; b!5,7; a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
init { run P(d) }
