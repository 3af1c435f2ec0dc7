/* `else` in a d_step is tried in the order of the options: here it does not wait for the others. */
byte x, y;
active proctype A() {
  if
  :: d_step { else -> y = 3; y = 4 }
  :: d_step { x == 1 -> y = 2 }
  :: x == 2 -> y = 8
  fi
}
active proctype B() { x = 1; x = 2 }
