/* -E: invalid end states are not reported. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -E */
active proctype A() { false }
