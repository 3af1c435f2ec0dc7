/* The step can be escaped from; the jump behind it cannot. */
byte x;
active proctype A() { again: x = 1; { x = 2; L: goto again } unless { x == 3; M: goto on }; on: atomic { x = 4; { x = 5; N: goto last } unless { x == 6; O: goto again }; x = 7; last: x = 8 } }
active proctype B() { end: do :: A@L -> x = 3 :: A@M -> x = 6 :: A@N -> x = 6 :: A@O -> x = 9 :: x = 3 od }
