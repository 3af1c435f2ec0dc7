/* Two promise the same and one of them uses it. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { xs c; skip }
