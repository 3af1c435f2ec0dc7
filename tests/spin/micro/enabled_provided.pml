/* enabled does not look at `provided`. */
byte x;
active proctype A() provided (x != 1) { skip; skip }
active proctype B() { x = 1; x = 2 + enabled(0); x = 0 }
