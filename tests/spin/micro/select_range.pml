/* select over constants: one option, one step per value. */
byte i;
active proctype A() { select (i : 1 .. 3); assert(i >= 1 && i <= 3) }
