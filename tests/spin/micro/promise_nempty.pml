/* nempty depends on the receiver alone. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { nempty(c); c?1 }
