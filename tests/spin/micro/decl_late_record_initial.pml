/* Later in a body the verifier of SPIN cannot be compiled. */
typedef R { byte a; byte b = 4 }
active proctype A() {
  byte k = 7;
  k = 1;
  R r = 3;
  k = 8
}
