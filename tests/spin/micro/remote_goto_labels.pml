/* Jumps to jumps, two labels of one jump, and a jump as the first statement: each is a step. */
byte x;
active proctype A() { L: goto begin; begin: x = 1; M: N: goto O; O: goto P; P: goto behind; x = 2; behind: x = 3 }
active proctype B() { end: do :: A@L :: A@M -> x = 4 :: A@N :: A@O -> x = 5 od }
