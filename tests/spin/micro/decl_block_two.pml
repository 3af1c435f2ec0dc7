/* Several variables in one declaration of a block: a step for each. */
byte g;
active proctype A() { g = 1; { byte x = 1, y = 2; short z; g = x + y + z } }
