/* xr and xs: a second receiver is an error of the run (with reduction only). */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
chan c = [2] of { byte };
active proctype A() { xs c; c!1; c!2 }
active proctype B() { xr c; byte x; c?x; c?x }
active proctype C() { c?_ }
