/* A process that is not provided does not outrank. */
byte x;
active proctype A() priority 2 { x = 1; x = 2; x = 3 }
active proctype B() priority 5 provided (x != 1) { x >= 0; x = 9 }
