/* A promise of an element of an array. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c[2] = [1] of { byte };
active proctype A() { xs c[0]; c[0]!1 }
active proctype B() { xs c[1]; c[1]!1; }
