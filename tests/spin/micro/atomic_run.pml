/* Processes made inside an atomic wait until it is over. */
byte x;
proctype B() { x = 1 }
init { atomic { run B(); run B(); assert(x == 0) } }
