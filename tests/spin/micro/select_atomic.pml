/* select over constants inside an atomic. */
byte i;
active proctype A() { atomic { select (i : 1 .. 3) }; i = 0 }
