/* A has ended before B moves: _nr_pr still counts it. */
byte x;
active proctype A() { x = 1 }
active proctype B() { x == 1; assert(_nr_pr == 2); x = 2; _nr_pr == 1 }
