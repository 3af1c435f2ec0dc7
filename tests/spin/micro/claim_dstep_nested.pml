/* An atomic sequence and a d_step in a d_step of a claim. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; atomic { if :: skip :: x == 1 -> assert(false) fi }; d_step { x == x; if :: skip :: x == 2 -> assert(false) fi } } od }
