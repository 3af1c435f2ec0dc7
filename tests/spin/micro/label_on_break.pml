/* The same for a break. */
byte x;
active proctype A() { do :: x == 0 -> x = 1; end: break od; do :: x == 1 -> x = 2; plain: break od; x = 3 }
