/* break as an option of its own is a step. */
byte x;
active proctype A() { do :: x < 2 -> x++ :: break od; x = 9 }
