/* An acceptance cycle by a label, without a claim. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { accept: do :: x = 1 - x od }
