/* A conditional expression. */
byte x;
active proctype A() { x = (x == 0 -> 4 : 5); assert(x == 4) }
