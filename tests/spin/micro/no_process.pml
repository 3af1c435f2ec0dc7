/* Without a process there is nothing to verify. */
byte x;
proctype A() { x = 1 }
