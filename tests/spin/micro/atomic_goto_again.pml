/* A jump back to the beginning of an atomic sequence starts it anew. */
byte x, y;
active proctype A() { L: atomic { x = 1; x = 2; x = 3 }; if :: y < 2 -> goto L :: else fi }
active proctype B() { y = 1; L: atomic { y++; if :: y < 4 -> goto L :: else fi } }
