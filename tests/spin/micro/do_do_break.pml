/* break leaves the inner loop only. */
byte x;
active proctype A() { do :: x < 3 -> do :: x++; break od :: x == 3 -> break od }
