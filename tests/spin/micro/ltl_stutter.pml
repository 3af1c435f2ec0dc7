/* A finite run is extended by stuttering: <>p fails at a deadlock. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { x = 1; x = 2 }
ltl p { <> (x == 3) }
