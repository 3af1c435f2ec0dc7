/* An atomic sequence of a claim that cannot be finished is not followed. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: atomic { x == 1 -> x == 2 -> break } :: else od }
