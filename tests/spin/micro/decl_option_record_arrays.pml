/* Arrays of records, and a second `skip`. */
typedef R { int a; byte b = 2 }
byte x;
active proctype A() {
  do
  :: R r[2], s; x++; R t; skip; skip; x == 9
  :: skip; skip; R u; x = 5; u.b == 3
  od
}
