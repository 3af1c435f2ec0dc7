/* A claim ends with a d_step. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: x < 2 :: x == 2 -> break od; skip; d_step { x == 2; if :: skip :: assert(false) fi } }
