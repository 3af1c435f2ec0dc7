/* A d_step as the escape. */
byte x;
active proctype A() { { x = 1; x = 2; x = 3 } unless { d_step { x == 2 -> x = 8; x = 9 } } }
