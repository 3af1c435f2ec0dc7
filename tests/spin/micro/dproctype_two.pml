/* Two options of a D_proctype at once. */
byte x;
D_proctype W(byte a) { if :: x == 0 :: x == a fi }
init { run W(0) }
