/* Depth first starts with the youngest process: seen in the trail. */
byte x;
active proctype A() { x = 1; assert(x == 1) }
active proctype B() { x = 2 }
