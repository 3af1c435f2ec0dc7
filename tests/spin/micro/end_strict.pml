/* -q: channels must be empty in an end state. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -q */
chan c = [1] of { byte };
active proctype A() { c!1 }
