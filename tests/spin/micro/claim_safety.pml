/* A never claim that is violated by reaching its end. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: x == 2 -> break :: else od }
