/* A local channel dies with its process; a receive from it then blocks. */
chan got = [1] of { chan };
proctype B() { chan mine = [1] of { byte }; mine!3; got!mine }
init { chan x; run B(); got?x; _nr_pr == 1; x?_ }
