/* timeout and priorities. */
byte x;
active proctype A() priority 4 { timeout -> x = 1 }
active proctype B() { x = 2; x == 1; x = 3 }
