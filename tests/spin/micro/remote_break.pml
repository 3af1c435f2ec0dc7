/* So is a `break`, and where it is a step already it is the same one. */
byte x;
active proctype A() { do :: x < 2 -> x++; if :: x == 1; L: goto on :: else fi; x = 2; on: skip :: else -> M: break :: x = 3 -> N: break od }
active proctype B() { end: do :: A@L -> x = 0 :: A@M -> x = 6 :: A@N -> x = 7 od }
