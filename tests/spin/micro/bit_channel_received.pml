/* The same, where the channel is received in a message. */
chan b = [1] of { byte, byte }; chan m = [1] of { chan };
bool x[2];
init { chan a = [1] of { bit, bit }; m!b; m?a; b!5,7; a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
