/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* It does not mark the loop, which is passed again and again. */
byte x;
active proctype A() {
  do
  :: x = 1 - x
  :: accept: x == 3 -> x = 0
  od
}
