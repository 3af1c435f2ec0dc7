/* At the top it reads the global as it is when the process is made. */
byte g = 1;
proctype B() { byte x = g; assert(x == 1) }
init { run B(); g = 2 }
