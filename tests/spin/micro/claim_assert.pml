/* An assertion fails while a claim watches. */
byte x;
active proctype A() { x = 1; assert(x == 2) }
never { do :: true od }
