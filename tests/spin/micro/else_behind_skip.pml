/* `else` that does not begin an option is a step that is always possible, also after `skip`. */
byte x, y;
active proctype A() {
  do
  :: x == 1 -> y = 2; break
  :: skip; else -> y = 1; break
  od
}
active proctype B() { x = 1; x = 2 }
