/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* A loop that `for` stands for is marked and nothing else. */
byte x;
active proctype A() {
  byte i;
  do
  :: x > 3 -> x--
  :: accept: for (i : 1 .. 2) { x = i }
  od
}
