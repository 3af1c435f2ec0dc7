/* Breaks and jumps out of the midst of an atomic sequence, beside rendezvous. */
byte x, y; chan c = [0] of { byte };
active proctype A() {
  do
  :: atomic { x < 3 -> x++; if :: c!x; break :: c!0 :: x == 2 -> y = 1; goto L fi; x++ }
  :: atomic { else -> break }
  od;
L: atomic { c!7; do :: c!8 :: break od };
  y = 2
}
active proctype B() { end: do :: c?y :: c?0 -> skip od }
