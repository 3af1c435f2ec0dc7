/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* All that a selection leads to is marked. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: accept: if :: x == 3 -> x = 0; x = 1 :: x == 7 fi; x = 2
  od
}
