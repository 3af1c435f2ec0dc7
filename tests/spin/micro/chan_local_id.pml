/* The number of a dead channel is used again. */
chan got = [2] of { chan };
proctype B() { chan mine = [1] of { byte }; got!mine }
init { chan x, y; run B(); got?x; _nr_pr == 1; run B(); got?y; assert(x == y) }
