/* Two atomics in a row: the state between them is stored. */
byte x;
active proctype A() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
active proctype B() { assert(x != 1 && x != 3) }
