/* Promises that are kept: the receiver asks nempty, the sender nfull. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
active proctype A() { xs c; nfull(c); c!1; c!2 }
active proctype B() { xr c; byte x; nempty(c); c?x; c?x }
