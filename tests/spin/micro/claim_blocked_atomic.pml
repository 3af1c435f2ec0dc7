/* An atomic that blocks under a claim: the claim moves there. */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2 } }
active proctype B() { y = 1 }
never { do :: x == 7 -> break :: else od }
