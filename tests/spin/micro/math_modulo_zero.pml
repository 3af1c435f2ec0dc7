/* So does modulo zero. */
byte x, y;
active proctype A() { x = 1; y = x % y }
