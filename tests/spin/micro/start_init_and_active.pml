/* Actives are numbered in the order of the text; init takes its turn in it. */
byte p;
active proctype A() { p = _pid; assert(_pid == 0) }
init { assert(_pid == 1) }
active proctype B() { assert(_pid == 2) }
