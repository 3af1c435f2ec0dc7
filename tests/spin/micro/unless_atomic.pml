/* An escape interrupts an atomic between any two of its statements. */
byte x;
active proctype A() { { atomic { x = 1; x = 2; x = 3 } } unless { x == 2 -> x = 9 }; assert(x == 9) }
