/* run gives the pid of the new process, the number of processes before it. */
pid p; byte n;
proctype B() { n++ }
init { p = run B(); assert(p == 1); p = run B(); assert(p == 2 || p == 1) }
