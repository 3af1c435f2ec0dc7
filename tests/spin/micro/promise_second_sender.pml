/* A second sender breaks xs, also while the channel is full. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { byte x; c!2 }
