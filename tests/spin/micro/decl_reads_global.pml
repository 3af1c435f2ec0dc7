/* Its initialiser is evaluated in passing, hence the assertion fails. */
byte g = 1;
active proctype A() { g = 7; byte x = g; assert(x == 1) }
