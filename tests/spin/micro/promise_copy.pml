/* To look at a message breaks xr. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { xr c; byte x; c?x }
active proctype C() { byte x; end: c?<x> }
