/* The same, for one element of an array of channels. */
chan a[2] = [1] of { bit, bit }; chan b = [1] of { byte, byte };
bool x[2];
init { a[1] = b; b!5,7; a[1]?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
