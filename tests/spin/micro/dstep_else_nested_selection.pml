/* In a selection that begins an option. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: if :: x == 2 -> y = 4 :: d_step { else -> y = 3; y = 6 } fi
  :: x == 0 -> y = 5
  fi
}
active proctype B() { x = 1; x = 2 }
