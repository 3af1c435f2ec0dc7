/* With a claim invalid end states are not reported. */
byte x;
active proctype A() { x = 1; false }
never { do :: x == 7 -> break :: else od }
