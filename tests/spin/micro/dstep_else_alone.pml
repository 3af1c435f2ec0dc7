/* The only option: it is always possible. */
byte x, y;
active proctype A() {
  if
  :: d_step { else -> y = 3; y = 6 }
  fi
}
active proctype B() { x = 1; x = 2 }
