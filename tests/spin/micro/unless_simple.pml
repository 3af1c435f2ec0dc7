/* The escape wins as soon as it is executable. */
byte x;
active proctype A() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 } }
