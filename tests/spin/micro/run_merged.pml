/* SPIN makes one step of statements that assign what `run` gives to locals,
   whatever the process is given. */
byte g;
proctype W(byte n) { g = g + n; assert(g != 3) }
init { pid p, q; byte n = 1; p = run W(g + 1); q = run W(2); n = p + q; assert(n == 3) }
