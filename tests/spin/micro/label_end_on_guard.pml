/* An end label on the first statement of an option. */
byte x;
active proctype A() { do :: end: x == 1 -> x = 2 od }
