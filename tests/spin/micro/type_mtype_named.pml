/* A named set is numbered on its own? */
mtype = { a, b };
mtype:color = { red, green };
active proctype A() { mtype:color k = red; assert(k == 2 && green == 1 && a == 2 && b == 1) }
