/* An accept label outside the cycle. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { accept: x = 1; do :: x = 3 - x od }
