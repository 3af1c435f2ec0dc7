/* The same in an inline. */
byte x;
inline f() {
  byte i = 0;
again:
  do
  :: i < 2 -> i++; goto again
  :: else -> break
  od
}
active proctype T() {
  do
  :: x < 2 -> x++
  :: x == 2 -> break
  od;
  do
  :: f(); x++
  :: x > 3 -> break
  od
}
