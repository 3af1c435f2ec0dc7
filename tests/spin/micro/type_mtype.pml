/* The last name of the first declaration is 1; later declarations go on above. */
mtype = { a, b, c };
mtype = { d, e };
active proctype A() { assert(c == 1 && b == 2 && a == 3); assert(e == 4 && d == 5) }
