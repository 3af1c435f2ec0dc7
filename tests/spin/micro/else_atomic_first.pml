/* The same in an atomic sequence. */
byte x, y;
active proctype A() {
  if
  :: atomic { else -> y = 3; y = 4 }
  :: x == 1 -> y = 2
  :: x == 2 -> y = 8
  fi
}
active proctype B() { x = 1; x = 2 }
