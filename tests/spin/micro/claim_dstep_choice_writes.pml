/* Such a d_step begins with a choice of assignments. */
byte x, y;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { if :: y = 1 :: y = 2 fi; assert(y == 1) } od }
