/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* At `else`. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: accept: else -> x = 0
  od
}
