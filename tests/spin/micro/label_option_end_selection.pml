/* A process may not rest at the selection. */
byte x;
active proctype A() {
  x = 1;
  if
  :: x == 2 -> x++
  :: end: x == 3 -> x = 4
  fi
}
