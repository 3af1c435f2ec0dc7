/* There is no channel 0. */
byte x;
active proctype A() { x = len(x) }
