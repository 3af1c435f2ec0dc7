/* A blocked process of high priority lets others move. */
byte x;
active proctype A() priority 5 { x == 1; x = 2 }
active proctype B() priority 2 { x = 1; assert(x == 2) }
