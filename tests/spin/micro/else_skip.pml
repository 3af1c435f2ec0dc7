/* else -> skip is two steps. */
byte x;
active proctype A() { if :: x == 5 :: else -> skip fi; x = 9 }
