/* A loop in a d_step of a claim. */
byte x, i;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { i = 0; do :: i < 5 -> i++ :: i == 3 -> assert(false) :: else -> break od; assert(i == 5) } od }
