/* In a selection within `for`. */
byte x, y;
active proctype A() {
  byte i;
  for (i : 1 .. 2) {
    if
    :: x == 1 -> y = 2
    :: d_step { else -> y = 3; y = 4 }
    fi
  }
}
active proctype B() { x = 1; x = 2 }
