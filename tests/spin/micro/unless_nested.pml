/* An outer escape covers the body of an inner one too: here it wins with and without -J. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -J -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
byte x, y;
active proctype A() { { { x = 1; x = 2 } unless { x == 1 -> y = 1 } } unless { x == 1 -> y = 2 }; assert(y == 1) }
