/* Two options of one selection may begin with a d_step and its `else`; the first is taken. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: d_step { else -> y = 3 }
  :: d_step { else -> y = 5 }
  fi
}
active proctype B() { x = 1; x = 2 }
