/* With spin -m a send to a full channel is lost. */
/* run: -m -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
chan c = [1] of { byte };
active proctype A() { c!1; c!2; assert(len(c) == 1) }
