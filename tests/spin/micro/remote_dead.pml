/* A remote label of a process that is gone. */
byte x;
proctype B() { L: x = 1 }
init { pid p; p = run B(); _nr_pr == 1; assert(!B[p]@L) }
