/* An index beyond the array. */
byte a[2], i = 2;
active proctype A() { a[i] = 1 }
