/* STDIN is not known to a verification. */
active proctype A() { int c; STDIN?c }
