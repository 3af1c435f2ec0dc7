/* No promise can be made of a rendezvous channel. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [0] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { c?1 }
