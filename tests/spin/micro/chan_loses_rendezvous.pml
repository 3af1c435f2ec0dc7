/* With spin -m a rendezvous still waits. */
/* run: -m -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
chan c = [0] of { byte };
active proctype A() { end: c!1; assert(false) }
