/* for over a range: which steps. */
byte s;
active proctype A() { byte i; for (i : 1 .. 3) { s = s + i }; assert(s == 6 && i == 4) }
