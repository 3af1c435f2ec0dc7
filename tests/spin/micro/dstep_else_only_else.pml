/* A selection in a d_step with no other option can always be taken. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: d_step { if :: else -> y = 3 fi; y = 4 }
  fi
}
active proctype B() { x = 1; x = 2 }
