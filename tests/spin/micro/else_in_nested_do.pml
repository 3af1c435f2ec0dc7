/* A do as the first statement of an option: its options join the outer ones. */
byte x;
active proctype A() { do :: do :: x == 9 -> skip :: x < 2 -> x++; break od :: x >= 2 -> break od }
