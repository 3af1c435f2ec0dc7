/* skip is a step, printf too. */
byte x;
active proctype A() { x = 1; skip; printf("x\n"); true; x = 2 }
