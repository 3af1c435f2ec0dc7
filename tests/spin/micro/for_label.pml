/* A label before `for` marks its loop: the jump does not begin anew. */
byte i, x;
active proctype A() { L: for (i : 0 .. 1) { x = 1 }; if :: x == 1 -> x = 2; i = 1; goto L :: x == 2 fi }
