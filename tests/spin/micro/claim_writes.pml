/* A claim that changes a variable. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: x == 1 -> x = 5; break :: else od }
