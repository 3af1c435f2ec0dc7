/* A process whose provided clause is false does not move. */
byte x;
active proctype A() provided (x == 1) { x = 2; x = 3 }
active proctype B() { x = 1 }
