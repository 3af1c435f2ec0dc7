/* A run that stops at an accept label is as if it stayed there for ever. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -f */
byte x;
active proctype P() { x = 1; end: accept: x == 2 }
