/* The prefix local changes nothing in the counts. */
local byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { skip }
