/* provided false in the middle of an atomic. */
byte x;
active proctype A() provided (x < 2) { atomic { x = 1; x = 2; x = 3 } ; x = 4 }
