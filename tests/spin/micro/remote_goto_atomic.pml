/* In an atomic sequence the jump itself is a second step where it leaves the sequence or leads to its end, and control is lost there. */
byte x;
active proctype A() { byte n; again: end: atomic { n < 2; n++; if :: x = 1; L: goto again :: x = 2; M: goto in :: x = 4; N: goto last :: x = 5; O: goto out :: x = 6; Q: goto L :: x = 8 fi; in: x = 3; last: x = 7 }; out: x = 9; atomic { x = 10; P: goto again } }
active proctype B() { end: do :: A@L :: A@M :: A@N -> x = 20 :: A@O -> x = 21 :: A@P -> x = 22 :: A@Q -> x = 23 od }
