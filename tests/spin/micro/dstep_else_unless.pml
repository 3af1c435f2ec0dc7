/* In the main part of an `unless`. */
byte x, y;
active proctype A() {
  { if
    :: x == 1 -> y = 2
    :: d_step { else -> y = 3; y = 5 }; y = 4
    fi;
    y = 9
  } unless { x == 2 };
  assert(y != 9 || x == 0)
}
active proctype B() { x = 1; x = 2 }
