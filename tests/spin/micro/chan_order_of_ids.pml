/* Channels and arrays of channels are numbered in the order of the text. */
chan a[2] = [1] of { byte };
byte pad;
chan b = [1] of { byte };
active proctype A() { chan l = [1] of { byte }; assert(a[0] == 1 && a[1] == 2 && b == 3 && l == 4) }
active proctype B() { chan l = [1] of { byte }; assert(l == 5) }
