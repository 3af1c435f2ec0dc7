/* Older at its end, younger at an end label: a valid end state. */
active proctype A() { skip }
active proctype B() { end: false }
