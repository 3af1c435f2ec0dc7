/* A declaration without initialiser in the middle of a body. */
byte g;
active proctype A() { g = 1; byte x; g = 2; x = g }
