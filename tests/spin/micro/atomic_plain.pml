/* States inside an atomic are not stored. */
byte x;
active proctype A() { atomic { x = 1; x = 2; x = 3 }; x = 4 }
active proctype B() { assert(x != 1 && x != 2) }
