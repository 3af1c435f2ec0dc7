/* break inside an if inside a do: part of the step before it. */
byte x;
active proctype A() { do :: x++; if :: x == 2 -> break :: else fi od; x = 9 }
