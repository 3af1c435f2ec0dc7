/* Accept labels that are left again, and ends that have none. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype P() { accept: x = 1; end: x == 2 }
