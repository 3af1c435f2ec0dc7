/* timeout in a model with a claim. */
byte x;
active proctype A() { x = 1; timeout -> x = 2 }
never { do :: x == 7 -> break :: else od }
