/* A d_step of a claim with an escape. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: { d_step { true; if :: skip :: x == 1 -> assert(false) fi } } unless { x == 2 -> assert(x != 2) } od }
