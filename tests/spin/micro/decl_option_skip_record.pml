/* `skip` and the declaration of a record are two steps. */
typedef R { int a }
byte x;
active proctype A() {
  do
  :: skip; R r; x++; x == 9
  :: R s; skip; x = 4; x == 9
  od
}
