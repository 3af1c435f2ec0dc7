/* The slot of a dead process is used again. */
pid p, q;
proctype B() { skip }
init { p = run B(); (_nr_pr == 1); q = run B(); assert(p == q) }
