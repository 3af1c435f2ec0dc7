/* -q with a process at an end label and an empty channel. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -q */
chan c = [1] of { byte };
active proctype A() { c!1; c?1; end: false }
