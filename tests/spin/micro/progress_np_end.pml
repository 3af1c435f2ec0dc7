/* A claim sees the last state once before it lasts: then there is no progress to be missed. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype P() { x = 1; end: x == 2 }
never { do :: true :: np_ && x == 1 -> break od }
