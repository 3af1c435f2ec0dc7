/* Only labels that begin with end count. */
active proctype A() { the_end: false }
