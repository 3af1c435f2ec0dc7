/* Steps inside an atomic count for depth, though not as states. */
byte x;
active proctype A() { atomic { x = 1; x = 2; x = 3; x = 4; x = 5 } }
