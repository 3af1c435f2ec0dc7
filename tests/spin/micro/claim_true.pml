/* A claim that never moves on: pairs of claim state and system state. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: x == 7 -> break :: else od }
