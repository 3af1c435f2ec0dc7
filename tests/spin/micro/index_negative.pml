/* A negative index. */
byte a[2]; int i = -1;
active proctype A() { a[i] = 1 }
