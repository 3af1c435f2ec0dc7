/* Blocked inside: the state is stored and others move. */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2; x = 3 }; x = 4 }
active proctype B() { x == 1; y = 1; assert(x != 2) }
