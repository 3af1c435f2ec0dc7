/* A declaration as the first thing of an option. */
byte n;
active proctype A() { do :: byte x = 5; n = x; break od }
