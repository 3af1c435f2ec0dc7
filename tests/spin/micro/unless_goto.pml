/* A main part left by goto leaves the escape as well. */
byte x;
active proctype A() { { x = 1; goto L; x = 2 } unless { x == 1 }; L: x = 3 }
