/* What is printed is computed, within a sequence too. */
byte a[2]; byte i = 2;
active proctype A() { d_step { i = 2; printf("%d %d\n", i, a[i]) } }
