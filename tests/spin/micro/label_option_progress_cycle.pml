/* run: -o1 -o2 -o3 | -DNOREDUCE -DNP | -l */
/* A cycle without it. */
byte x;
active proctype A() {
  do
  :: x = 1 - x
  :: progress: x == 1 -> x = 0
  od
}
