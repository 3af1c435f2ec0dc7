/* Raising another process; the priority is part of the state. */
byte x, y, z;
active proctype A() { x = 1; set_priority(1, 8); x = 2; x = 3; z = 1 }
active proctype B() { x == 1 -> y = 5; _priority = 1; y = 6; z == 1 }
