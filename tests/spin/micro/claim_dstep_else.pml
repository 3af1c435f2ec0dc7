/* A d_step of a claim that begins with else. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: x == 1 -> break :: d_step { else -> skip; skip } od }
