/* A scalar has an element 0: itself. */
typedef T { byte f }
byte x;
T t;
chan c = [1] of { byte };
active proctype P() { x[0] = 3; t.f[0] = x; t[0].f = t.f + x[0]; c[0]!x; c?x[0]; assert(x == 3 && t.f == 6) }
