/* timeout in an expression with another condition. */
byte x;
active proctype A() { if :: timeout && x == 0 -> x = 1 fi; timeout -> x = 2 }
