/* Local variables of a dead process are gone from the state. */
active proctype A() { byte x; if :: x = 1 :: x = 2 fi }
