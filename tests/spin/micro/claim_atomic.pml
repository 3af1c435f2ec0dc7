/* The claim does not move inside an atomic of the system. */
byte x;
active proctype A() { atomic { x = 1; x = 2; x = 3 }; x = 4 }
never { do :: x == 2 -> break :: else od }
