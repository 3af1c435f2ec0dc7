/* A process may rest behind the statement, not at the selection. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: end: x == 3 -> x == 4
  od
}
