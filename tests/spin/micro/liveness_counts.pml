/* -a without any accept state: each state once. */
/* run: -o1 -o2 -o3 | -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
byte x;
active proctype A() { do :: x = 1 - x od }
