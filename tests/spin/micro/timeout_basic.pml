/* timeout is executable when nothing else is. */
byte x;
active proctype A() { do :: x < 2 -> x++ :: timeout -> break od; assert(x == 2) }
