/* Diamonds: matched states. */
byte x, y, z;
active proctype A() { x = 1 }
active proctype B() { y = 1 }
active proctype C() { z = 1 }
