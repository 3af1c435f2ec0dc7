/* No process is ever at the statement, unless it jumps there. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: L: x == 3 -> x = 0; x = 2
  :: x == 2 -> goto L
  od
}
active proctype B() { A[0]@L; assert(x == 2) }
