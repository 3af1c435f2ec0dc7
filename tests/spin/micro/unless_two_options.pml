/* Two options that begin with an `unless` each: at the selection the escape of
   the last goes first. */
byte x, seen;
active proctype A() {
  do
  :: { x < 2; x++ } unless { x == 1 -> x = 5; seen = 1 }
  :: { x < 3; x = x + 2 } unless { x == 1 || x == 2 -> x = 6; seen = 2 }
  :: x > 4 -> break
  od
  assert(seen != 1)
}
