/* A channel variable that is assigned gives messages of another type than it is declared with: their bytes go into a bit array. */
chan a = [1] of { bit, bit }; chan b = [1] of { byte, byte };
bool x[2];
init { a = b; b!5,7; a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
