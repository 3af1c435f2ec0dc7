/* Two hand-overs in a row are two steps. */
chan a = [0] of { byte };
chan b = [0] of { byte };
active proctype A() { a!1 }
active proctype B() { byte x; a?x; b!x }
active proctype C() { byte x; b?x; assert(x == 1) }
