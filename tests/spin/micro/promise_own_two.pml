/* Who promises both may use both ends. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
active proctype A() { xr c; xs c; c!1; len(c) == 1; c?1 }
