/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* What an escape leads to is not marked. */
byte x;
active proctype A() {
  do
  :: x > 1 -> x = 0
  :: accept: { x == 3; x = 2 } unless { x == 0; x = 1 }; x = 5
  od
}
