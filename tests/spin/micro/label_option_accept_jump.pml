/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* Where a jump leads. */
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: accept: goto L
  od;
L: x = 1 - x; goto L
}
