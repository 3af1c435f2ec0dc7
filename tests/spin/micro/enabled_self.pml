/* enabled of the process itself is an error. */
byte x;
active proctype A() { x = 1; x = enabled(0) }
