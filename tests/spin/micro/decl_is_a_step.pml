/* A declaration in the middle of a body is a step: x = 5. */
byte g;
active proctype A() { g = 1; byte x = 5; g = x }
