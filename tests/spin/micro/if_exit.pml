/* Leaving a selection is no step. */
byte x;
active proctype A() { if :: x = 1 :: x = 2 fi; if :: x == 1 :: x == 2 fi; x = 3 }
