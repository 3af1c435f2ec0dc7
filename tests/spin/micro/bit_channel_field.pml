/* The same, for a channel in a record. */
typedef R { chan a = [1] of { bit, bit } };
R r; chan b = [1] of { byte, byte };
bool x[2];
init { r.a = b; b!5,7; r.a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
