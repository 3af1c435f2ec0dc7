/* A list of one value: all elements have it from the start, the step sets the first one again. */
byte x;
active proctype A() {
  do
  :: x < 3 ->
     x++;
     byte n[3] = {5};
     assert(n[0] == 5 && n[2] == 4 + x);
     n[0] = 7; n[2]++
  :: x == 3 -> break
  od
}
