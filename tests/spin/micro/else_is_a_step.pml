/* else -> break is one step, else alone is one step. */
byte x;
active proctype A() { do :: x < 2 -> x++ :: else -> break od; if :: x == 5 :: else fi; x = 9 }
