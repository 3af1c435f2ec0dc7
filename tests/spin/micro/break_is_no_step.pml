/* break after a guard is no step. */
byte x;
active proctype A() { do :: x < 2 -> x++ :: x == 2 -> break od; x = 9 }
