/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* A loop and all that it leads to. */
byte x;
active proctype A() {
  do
  :: x > 3 -> x++
  :: accept: do :: x == 1 -> x = 2 :: break od; x = 4
  od
}
