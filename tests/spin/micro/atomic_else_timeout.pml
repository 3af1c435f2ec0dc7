/* else inside an atomic looks at its own process only. */
byte x, y;
active proctype A() { atomic { x = 1; if :: y == 1 -> x = 5 :: else -> x = 2 fi; x = 3 } }
active proctype B() { y = 1 }
