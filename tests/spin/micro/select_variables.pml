/* select with a bound that is not constant: a loop of steps. */
byte i, n = 3;
active proctype A() { select (i : 1 .. n); assert(i >= 1 && i <= 3) }
