/* The last statement leads outside: the state after it is stored. */
byte x, y;
active proctype A() { do :: atomic { x < 2 -> x++ } :: atomic { x == 2 -> x = 0 } od }
active proctype B() { y = 1 }
