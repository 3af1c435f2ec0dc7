/* else inside the escape. */
byte x;
active proctype A() { { x = 1; x = 2 } unless { if :: x == 2 :: x == 1 -> x = 5 fi } }
