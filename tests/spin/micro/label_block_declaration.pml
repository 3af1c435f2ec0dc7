/* A label after a declaration that begins a block. */
byte x;
active proctype T() {
  do
  :: { byte i = 0;
again: do
       :: i < 2 -> i++; goto again
       :: else -> break
       od }; x++
  :: x > 3 -> break
  od
}
