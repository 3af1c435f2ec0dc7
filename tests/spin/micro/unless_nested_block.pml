/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* A block of its own around the inner `unless`. */
byte x, seen;
bool c, d;
active proctype A() {
  {
    { { x = 1; x = 2 } unless { c -> seen = 1; seen = 3 } };
    x = 4
  } unless { d -> seen = seen + 4 }
}
active proctype B() { if :: c = 1 :: d = 1 :: c = 1; d = 1 :: atomic { c = 1; d = 1 } fi }
