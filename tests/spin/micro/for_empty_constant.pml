/* for over an empty constant range: spin complains but goes on. */
byte s;
active proctype A() { byte i; for (i : 3 .. 1) { s = 1 }; assert(s == 0 && i == 3) }
