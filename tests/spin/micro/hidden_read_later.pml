/* A hidden variable keeps its value along the way. */
hidden byte h;
active proctype A() { h = 3; assert(h == 3); assert(h == 4) }
