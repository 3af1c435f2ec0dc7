/* Without an initialiser it is the step x = 0. */
byte g;
active proctype A() { g = 1; byte x; g = 2; x = g }
