/* Sorting looks at all fields in order. */
chan c = [4] of { byte, byte };
active proctype A() { byte x, y; c!!2,9; c!!2,3; c?x,y; assert(y == 3) }
