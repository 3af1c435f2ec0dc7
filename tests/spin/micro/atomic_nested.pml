/* An atomic inside an atomic changes nothing. */
byte x;
active proctype A() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype B() { assert(x != 3) }
