/* An initialiser at the top that reads a parameter. */
proctype B(byte p) { byte x = p + 1; assert(x == 4) }
init { run B(3) }
