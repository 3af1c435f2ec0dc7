/* A claim that cannot move cuts the search there. */
byte x;
active proctype A() { x = 1; x = 2; assert(false) }
never { x == 0; x == 1; false }
