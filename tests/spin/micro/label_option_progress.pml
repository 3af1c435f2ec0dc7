/* run: -o1 -o2 -o3 | -DNOREDUCE -DNP | -l */
/* Progress is made behind the statement. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: progress: x == 3 -> x = 0
  od
}
