/* What is printed is computed. */
byte a[2]; byte i = 2;
active proctype A() { printf("%d\n", a[i]) }
