/* Fields are truncated when sent. */
chan c = [1] of { byte, bit, short };
active proctype A() { int a, b, d; c!300,3,70000; c?a,b,d; assert(a == 44 && b == 1 && d == 4464) }
