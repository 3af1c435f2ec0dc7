/* Nobody reads it: its first value is no state. */
hidden byte h = 5;
byte x;
active proctype A() { do :: x = 1 - x :: h++ od }
