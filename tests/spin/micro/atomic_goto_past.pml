/* A jump from outside to a jump within an atomic sequence goes on at once. */
byte x;
active proctype A() { byte n; again: n < 2 -> n++; if :: x = 1; goto L :: x = 2; atomic { x = 3; L: goto out } :: atomic { x = 4; goto L } fi; x = 5; out: x = 6; if :: n < 2 -> goto again :: else fi }
active proctype B() { x = 20 }
