/* A channel variable that is assigned may send more fields than it is declared with. */
chan a = [1] of { bit }; chan b = [1] of { byte, byte };
byte x, y;
init { a = b; a!5,7; b?x,y; assert(x == 5 && y == 7) }
