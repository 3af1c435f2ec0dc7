/* The `else` of a selection within a d_step is that of the selection. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: d_step { if :: x == 2 -> y = 3 :: else -> y = 5 fi; y = 7 }; y = 4
  fi
}
active proctype B() { x = 1; x = 2 }
