/* The same, where the messages have more fields than the variable is declared with. */
chan a = [1] of { bit }; chan b = [1] of { byte, byte };
bool x[2];
init { a = b; b!5,7; a?x[0],x[1]; assert(x[0] == 5 && x[1] == 7) }
