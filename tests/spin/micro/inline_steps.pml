/* An inline call adds no step. */
byte x;
inline f() { x = 1; x = 2 }
active proctype A() { f(); x = 3 }
