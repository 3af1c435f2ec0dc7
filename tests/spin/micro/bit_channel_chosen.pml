/* The same, in some runs only. */
chan a = [1] of { bit, bit }; chan b = [1] of { byte, byte };
bool x[2];
init { if :: a = b :: skip fi; a!5,7; a?x[0],x[1]; assert(x[0] != 1 || a != b) }
