/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* The options of `select`. */
byte x;
active proctype A() {
  byte i;
  do
  :: x > 3 -> x--
  :: accept: select (i : 1 .. 2); x = i
  od
}
