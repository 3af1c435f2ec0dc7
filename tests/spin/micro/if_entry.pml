/* Entering a selection is no step; nested selections share the control state. */
byte x;
active proctype A() { if :: if :: x == 0 -> x = 1 :: x = 2 fi :: do :: x = 3; break od fi }
