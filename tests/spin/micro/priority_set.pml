/* set_priority takes effect at once; _priority is part of the state. */
byte x;
active proctype A() priority 5 { x = 1; set_priority(_pid, 1); x = 2 }
active proctype B() priority 2 { assert(x == 1); assert(_priority == 2) }
