/* A declaration in an option, without braces. */
byte n;
active proctype A() { do :: n < 2 -> byte x = 5; x++; n++ :: else -> break od }
