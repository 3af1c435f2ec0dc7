/* The same with the inner selection written last: now x == 0 comes first and else is not taken. */
byte x;
active proctype A() { if :: x == 0 -> x = 4 :: if :: x == 1 -> x = 2 :: else -> x = 3 fi fi }
