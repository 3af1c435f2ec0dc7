/* The same without the word. */
byte h;
byte x;
active proctype A() { do :: x = 1 - x; h++ od }
