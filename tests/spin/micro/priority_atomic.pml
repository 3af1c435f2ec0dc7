/* A process of higher priority that becomes executable breaks into an atomic sequence. */
byte x;
active proctype A() priority 2 { atomic { x = 1; x = 2; x = 3 } }
active proctype B() priority 5 { x == 2; x = 7 }
