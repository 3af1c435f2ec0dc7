/* Parameters are converted to their types at run. */
proctype B(byte b; short s; bit t) { assert(b == 44 && s == -1 && t == 1) }
init { run B(300, 65535, 3) }
