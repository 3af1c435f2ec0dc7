/* Blocked at an end label: valid. */
active proctype A() { end_here: false }
