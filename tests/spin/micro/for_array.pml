/* for over an array: i runs over the indices. */
byte a[3] = 2, s;
active proctype A() { byte i; for (i in a) { s = s + a[i] }; assert(s == 6) }
