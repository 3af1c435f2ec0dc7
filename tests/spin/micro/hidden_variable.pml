/* A hidden variable is not part of the state. */
hidden byte h;
byte x;
active proctype A() { do :: x = 1 - x; h++ od }
