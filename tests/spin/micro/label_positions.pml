/* Labels add no step. */
byte x;
active proctype A() { L1: x = 1; L2: L3: x = 2; progress: skip; end: x = 3 }
