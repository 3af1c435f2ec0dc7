/* The same, for messages that are copied or found by a random receive. */
chan a = [2] of { bit, bit }; chan b = [2] of { byte, byte };
bool x[2];
init { a = b; b!5,7; b!4,9; a?<x[0],x[1]>; assert(x[0] == 5); a??4,x[1]; assert(x[1] == 9) }
