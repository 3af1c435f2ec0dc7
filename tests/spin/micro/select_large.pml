/* select over a larger constant range. */
byte i;
active proctype A() { select (i : 0 .. 40); i = 0 }
