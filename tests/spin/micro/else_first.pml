/* else is tried last wherever it stands. */
byte x;
active proctype A() { if :: else -> assert(false) :: x == 0 -> x = 1 fi }
