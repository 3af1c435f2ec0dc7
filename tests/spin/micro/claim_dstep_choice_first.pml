/* The first executable option of such a d_step has a condition. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; if :: x == 1 -> assert(false) :: skip fi } od }
