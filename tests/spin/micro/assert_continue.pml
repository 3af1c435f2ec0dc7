/* -c0: counted, and the search goes on behind it. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -c0 */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -c2 */
byte x;
active proctype A() { x = 1; assert(x == 0); assert(x == 2); x = 2 }
active proctype B() { skip }
