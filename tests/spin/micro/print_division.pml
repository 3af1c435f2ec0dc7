/* What is printed is computed. */
byte i = 0;
active proctype A() { printf("%d\n", 1 / i) }
