/* An initialiser in the middle of a body: a step? */
byte g;
active proctype A() { g = 1; byte x = 5; g = x }
