/* A message of one bit is a byte, also where it is sent through a variable that is declared with another type. */
chan a = [1] of { byte }; chan b = [1] of { bit };
byte y;
init { a = b; a!5; b?y; assert(y == 5) }
