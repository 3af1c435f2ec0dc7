/* A record in a message is a list of its fields. */
typedef R { byte a; short b };
chan c = [1] of { byte, R };
active proctype A() { R r, s; r.a = 1; r.b = -2; c!7, r; c?7, s; assert(s.a == 1 && s.b == -2) }
