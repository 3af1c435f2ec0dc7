/* A d_step of a claim that blocks after its first statement is an error. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: d_step { true; x == 1 } :: true od }
