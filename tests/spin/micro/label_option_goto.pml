/* A jump finds the statement, and may rest there. */
byte x;
active proctype A() {
  x = 3;
  do
  :: x == 9 -> x++
  :: end: x == 3 -> x = 0; x = 5; goto end
  od
}
