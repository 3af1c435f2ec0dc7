/* The escape is looked at before every statement, the first one too. */
byte x;
active proctype A() { { assert(false) } unless { x == 0 } }
