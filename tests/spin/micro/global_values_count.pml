/* The same with a global: the values stay apart. */
byte x;
active proctype A() { if :: x = 1 :: x = 2 fi }
