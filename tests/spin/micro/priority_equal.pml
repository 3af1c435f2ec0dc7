/* Equal priorities interleave. */
byte x;
active [2] proctype A() priority 4 { x = 1; x = 2 }
active proctype B() priority 3 { x = 3; assert(x == 3) }
