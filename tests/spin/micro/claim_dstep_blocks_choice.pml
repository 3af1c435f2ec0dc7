/* The same, where no option is executable. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; if :: x == 1 :: x == 0 fi } od }
