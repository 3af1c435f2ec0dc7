/* SPIN forgets an option within a d_step that begins with a block and `else`. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: d_step { if :: x == 2 -> y = 5 :: { else -> y = 3 } fi; y = 4 }
  fi
}
active proctype B() { x = 1; x = 2 }
