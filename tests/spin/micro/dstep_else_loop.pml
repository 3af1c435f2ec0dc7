/* In a loop, with a statement after the d_step. */
byte x, y;
active proctype A() {
  do
  :: x == 1 -> y = 2; break
  :: d_step { else -> y = 3; y = 5 }; y = 4; if :: x > 0 -> break :: x == 0 fi
  od
}
active proctype B() { x = 1; x = 2 }
