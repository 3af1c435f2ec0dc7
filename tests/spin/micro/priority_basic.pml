/* With priorities only the highest executable process moves. */
byte x;
active proctype A() priority 5 { x = 1; x = 2 }
active proctype B() priority 2 { assert(x == 2) }
