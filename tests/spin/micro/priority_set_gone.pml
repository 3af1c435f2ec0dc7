/* Undoing `set_priority` of a process that is gone, SPIN gives process 0 priority 0. */
byte x;
active proctype A() { x = 1; set_priority(1, 8); x = 2; x = 3 }
active proctype B() { x == 1 -> x = 5; x = 6 }
