/* Stuck by its clause at its end: can it die? */
byte x = 1;
active proctype A() provided (x == 1) { skip }
active proctype B() { x = 0 }
