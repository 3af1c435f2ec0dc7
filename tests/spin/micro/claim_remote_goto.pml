/* It does not matter who asks. */
byte x;
active proctype A() { again: x = 1 - x; L: goto again }
never { do :: !A@L :: A@L && x == 1 -> break od }
