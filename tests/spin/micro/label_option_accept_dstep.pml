/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* Behind a d_step. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: accept: d_step { x == 3 -> x = 4 }; x = 0
  od
}
