/* `else` within two blocks. */
byte x, y;
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: { { else -> y = 3 }; y = 4 }
  fi
}
active proctype B() { x = 1; x = 2 }
