/* A d_step of a claim takes the first executable option. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; if :: skip :: x == 1 -> assert(false) fi } od }
