/* len depends on both ends: the receiver breaks the promise of the sender. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { byte x; len(c) == 1; c?x }
