/* A process at its end stays until all younger ones are gone. */
byte x;
active proctype A() { x = 1 }
active proctype B() { x = 2; x = 3; assert(_nr_pr == 2) }
