/* `else` in a d_step in an atomic sequence. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: atomic { d_step { else -> y = 3; y = 5 }; y = 4; y = 6 }
  fi
}
active proctype B() { x = 1; x = 2 }
