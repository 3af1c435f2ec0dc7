/* Later globals see earlier ones in their initialisers. */
byte a = 3;
byte b = a + 1;
active proctype A() { assert(b == 4) }
