/* Blocking behind the guard of a d_step is an error of the run. */
byte x;
active proctype A() { d_step { x = 1; x == 2; x = 3 } }
