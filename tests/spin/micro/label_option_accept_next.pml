/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* It marks what the statement leads to. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: accept: x == 3 -> x = 0
  od
}
