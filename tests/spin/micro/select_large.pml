/* select over a larger constant range is a loop of steps, as with variables. */
byte i;
active proctype A() { select (i : 0 .. 40); i = 0 }
