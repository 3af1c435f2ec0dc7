/* for over a channel: each message is looked at and put back. */
typedef M { byte v };
chan c = [3] of { M };
byte s;
active proctype A() { M m; m.v = 1; c!m; m.v = 2; c!m; for (m in c) { s = s + m.v }; assert(s == 3 && len(c) == 2) }
