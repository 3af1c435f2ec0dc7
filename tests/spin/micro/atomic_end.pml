/* An atomic at the end of a process: the -end- step is outside. */
byte x;
active proctype A() { atomic { x = 1; x = 2 } }
active proctype B() { atomic { x = 3; x = 4 } }
