/* A promise that is broken inside an atomic sequence. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { byte x; atomic { x = 1; x = 2; c!x } }
