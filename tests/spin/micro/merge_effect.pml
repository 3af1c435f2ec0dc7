/* What the optimisations of the defaults do to the counts. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run:  | -DSAFETY -DNOREDUCE |  */
/* run:  | -DSAFETY |  */
/* run: -o1 -o2 | -DSAFETY -DNOREDUCE |  */
byte x;
active [2] proctype A() { byte a, b; a = 1; b = 2; a = b; x = a; b = 0; x = 2 }
