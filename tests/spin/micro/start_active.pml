/* One process that does nothing: the initial state and the state after its end. */
active proctype A() { skip }
