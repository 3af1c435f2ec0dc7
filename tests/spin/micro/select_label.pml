/* The same for `select` with a variable. */
byte i, n = 2, x;
active proctype A() { L: select (i : 1 .. n); if :: x < 2 -> x++; goto L :: x == 2 fi }
