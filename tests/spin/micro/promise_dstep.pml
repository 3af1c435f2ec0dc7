/* A promise that is broken inside a d_step. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { byte x; d_step { x = 1; x = 2; c!x } }
