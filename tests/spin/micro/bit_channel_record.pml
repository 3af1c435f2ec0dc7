/* The same, where the message is received into a record with a bit array. */
typedef M { bit h[2] };
M m; chan a = [1] of { bit, bit }; chan b = [1] of { byte, byte };
init { a = b; b!5,7; a?m; assert(m.h[0] == 5 && m.h[1] == 7) }
