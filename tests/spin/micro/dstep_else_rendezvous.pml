/* Beside a send that nobody takes. */
byte x, y;
active proctype A() {
  chan c = [0] of { byte };
  if
  :: c!1 -> y = 2
  :: d_step { else -> y = 3; y = 4 }
  fi
}
active proctype B() { x = 1; x = 2 }
