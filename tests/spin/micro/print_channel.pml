/* What is printed is computed. */
chan c;
active proctype A() { printf("%d\n", len(c)) }
