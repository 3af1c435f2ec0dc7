/* After the last statement of the main part the escape is over. */
byte x;
active proctype A() { { x = 1 } unless { x == 1 -> x = 9 }; assert(x == 1) }
