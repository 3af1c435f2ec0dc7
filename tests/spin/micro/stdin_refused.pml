/* Reading STDIN in a verification. */
active proctype A() { int c; STDIN?c }
