/* nfull depends on the sender. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { nfull(c); c?1 }
