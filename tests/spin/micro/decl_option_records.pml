/* Two declarations of records in an option are two steps. */
typedef R { int a }
typedef S { int b }
byte x;
active proctype A() {
  do
  :: R r; S s; x++; x == 9
  od
}
