/* After the block is over the rest is exclusive again. */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2; x = 3; x = 4 } }
active proctype B() { y = 1; y = 2; y = 1; assert(x != 2 && x != 3) }
