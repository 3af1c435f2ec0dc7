/* select: one value after the other, by steps. */
byte i;
active proctype A() { select (i : 1 .. 3); assert(i >= 1 && i <= 3) }
