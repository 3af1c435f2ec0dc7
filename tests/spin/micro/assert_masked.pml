/* -A: assertions are ignored. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -A */
byte x;
active proctype A() { x = 1; assert(x == 0); x = 2 }
