/* The length of what a number is taken for: here of the first channel. */
byte x = 1;
chan c = [2] of { byte };
active proctype A() { c!1; x = len(x); assert(x == 1) }
