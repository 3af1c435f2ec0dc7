/* Without a process there is nothing to verify: refused. */
byte x;
proctype A() { x = 1 }
