/* An assignment of 0 is executable; the expression 0 is not. */
byte x = 1;
active proctype A() { x = 0; 0 }
