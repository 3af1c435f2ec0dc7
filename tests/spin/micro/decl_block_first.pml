/* A block that opens the body. */
byte g;
active proctype A() { { byte x = 5; g = x } ; g = 0 }
