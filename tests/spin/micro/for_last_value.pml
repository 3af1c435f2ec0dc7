/* A byte loop up to 255 never ends: the variable wraps. */
active proctype A() { byte i; for (i : 253 .. 255) { skip } }
