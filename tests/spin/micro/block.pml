/* A block in braces adds no step. */
byte x;
active proctype A() { x = 1; { x = 2; { x = 3 } }; x = 4 }
