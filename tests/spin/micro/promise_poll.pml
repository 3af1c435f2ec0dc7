/* A poll breaks xr, and xs. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { byte x; c?[1]; c?x }
