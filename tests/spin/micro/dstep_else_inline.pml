/* The d_step is the body of an inline. */
byte x, y;
inline otherwise() { d_step { else -> y = 3; y = 5 } }
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: otherwise()
  fi
}
active proctype B() { x = 1; x = 2 }
