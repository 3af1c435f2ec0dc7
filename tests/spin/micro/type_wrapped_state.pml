/* Values that are equal after truncation are one state. */
byte x;
active proctype A() { do :: x = x + 64 od }
