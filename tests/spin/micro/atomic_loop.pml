/* A loop inside an atomic that never ends: states are not compared, so only the depth limit stops it. */
byte x;
active proctype A() { atomic { do :: x = 1 - x od } }
