/* A list of one value: all elements have it from the start, the step sets the first one again. */
byte x;
active proctype A() {
  do
  :: x < 3 ->
     x++;
     bit n[2] = {0};
     n[0] = 1; n[1] = 1
  :: x == 3 -> break
  od
}
