/* An option that begins with `d_step { else` is one step. */
byte x;
active proctype A() {
  if
  :: d_step { x == 1 -> x = 2 }
  :: d_step { else -> x = 3 }
  fi
}
