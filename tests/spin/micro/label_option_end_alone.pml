/* The label of the only statement marks the loop. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: end: x == 5
  od
}
