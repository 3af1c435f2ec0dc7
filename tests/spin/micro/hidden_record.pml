/* Of a hidden record nothing is part of the state. */
typedef R { byte a; byte b[2] }
hidden R h;
byte x;
active proctype A() { do :: x = 1 - x; h.a = x :: h.b[x] = 2 od }
