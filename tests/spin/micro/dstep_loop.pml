/* A loop inside a d_step. */
byte i, s;
active proctype A() { d_step { do :: i < 5 -> i++; s = s + i :: else -> break od }; assert(s == 15) }
