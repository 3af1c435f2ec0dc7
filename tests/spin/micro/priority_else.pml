/* A selection with `else` is always executable; `unless` counts, too. */
byte x;
active proctype A() priority 4 { do :: x == 1 -> break :: else -> x = 1 od; { x == 9; skip } unless { x == 2 -> x = 3 } }
active proctype B() { x = 2; x = 5 }
