/* for over an empty range, its bounds not constant: no pass. */
byte s, a = 3;
active proctype A() { byte i; for (i : a .. 1) { s = 1 }; assert(s == 0 && i == 3) }
