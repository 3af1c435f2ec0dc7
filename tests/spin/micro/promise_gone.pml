/* A promise of a process that is gone: SPIN keeps to it. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
proctype P() { xs c; c!1 }
init { run P(); (_nr_pr == 1); c!2 }
