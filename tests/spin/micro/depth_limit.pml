/* A state below the depth limit counts as matched, not as stored. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -m5 */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -m5 -b */
byte x;
active proctype A() { do :: x < 20 -> x++ :: else -> break od }
