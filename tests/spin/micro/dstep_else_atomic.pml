/* Within an atomic sequence. */
byte x, y;
active proctype A() {
  atomic {
    y = 1;
    if
    :: x == 1 -> y = 2
    :: d_step { else -> y = 3; y = 4 }
    fi;
    y = 9
  };
  assert(y != 9 || x == 0)
}
active proctype B() { x = 1; x = 2 }
