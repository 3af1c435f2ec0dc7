/* select in an atomic: one step per value. */
byte i;
active proctype A() { atomic { select (i : 1 .. 3) }; i = 0 }
