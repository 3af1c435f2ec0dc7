/* The priority of a process that is gone is 0; setting it does nothing. */
byte x;
active proctype A() priority 4 { x = get_priority(1); x = get_priority(7); set_priority(9, 3); x = get_priority(0) }
active proctype B() { skip }
