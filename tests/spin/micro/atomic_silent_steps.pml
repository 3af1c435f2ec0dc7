/* The end of a selection or loop within an atomic sequence is a step where the last statement or nothing follows it. */
byte x, y; chan c = [0] of {byte};
active proctype A() {
  do
  :: atomic { x = 1; if :: x == 1 -> y = 1; break :: y == 3 -> goto L :: y == 4 -> y = 5; goto M :: y == 7 -> y = 8 fi; y = 2 }
  :: atomic { x = 1; if :: x == 1 -> c!1 :: x == 3 -> if :: c!2 :: x == 4 -> x = 5 fi fi }
  :: atomic { x = 1; do :: x == 1 -> c!1 :: x == 3 -> x = 4; break :: else -> break od }
  :: atomic { x = 1; do :: x == 1 -> c!1 :: x == 3 -> x = 4; break :: else -> break od; x = 3 }
  :: atomic { x = 1; { x = 2; x = 3 } }
  :: atomic { x = 1; if :: x = 2 fi; { x = 2; x = 3 } }
  :: atomic { x = 1; atomic { x = 2; if :: x = 4 fi } ; x = 5 }
  :: atomic { x = 1; { x = 9; if :: x = 2 fi } unless { x == 12 } }
  :: atomic { x = 1; goto M }
  od;
L: x = 7;
M: goto L
}
active proctype B() { end: do :: c?_ od }
