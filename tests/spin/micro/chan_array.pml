/* An array of channels with one initialiser: each element is a channel of its own. */
chan c[2] = [1] of { byte };
active proctype A() { c[0]!1; assert(len(c[1]) == 0 && c[0] != c[1]); c[1]!2; c[0]?1; c[1]?2 }
