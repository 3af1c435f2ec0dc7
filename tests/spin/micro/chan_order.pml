/* First in, first out; a slot that is free again holds zeros. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
active proctype B() { byte x; c?x; c?x; assert(x == 2); x = 0 }
