/* A `break` too; it leads past the step that is behind the last loop of a sequence. */
byte x;
active proctype A() { byte n; do :: n < 2; n++; atomic { x = 1; do :: x = 2; L: break :: x = 3; M: break :: x = 4; goto to od }; x = 5; atomic { x = 6; do :: x = 7; N: break :: x = 8; to: goto on :: x = 9; O: goto to od; x = 10 }; on: x = 11 :: else -> P: break od; x = 0 }
active proctype B() { end: do :: A@L :: A@M :: A@N :: A@to -> x = 30 :: A@O -> x = 31 :: A@P -> x = 32 od }
