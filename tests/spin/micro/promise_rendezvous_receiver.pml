/* Nor by the receiver. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [0] of { byte };
active proctype A() { c!1 }
active proctype B() { xr c; c?1 }
