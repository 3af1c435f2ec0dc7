/* One initialiser fills the array; a list sets elements and the rest is zero. */
byte a[3] = 7;
byte b[3] = { 1, 2, 3 };
active proctype A() { byte c[2] = 4; assert(a[2] == 7 && b[2] == 3 && c[1] == 4) }
