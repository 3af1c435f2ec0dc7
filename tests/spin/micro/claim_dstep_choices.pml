/* The claim still chooses between two d_steps. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; skip } :: d_step { x == 1 -> skip; assert(false) } od }
