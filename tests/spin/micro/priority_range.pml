/* Priorities are 1 to 255. */
byte x;
active proctype A() priority 4 { x = 1; set_priority(0, x - 1) }
