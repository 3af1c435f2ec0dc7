/* Only the receiver is in an atomic: it goes on alone. */
byte x;
chan c = [0] of { byte };
active proctype A() { c!0; x = 9 }
active proctype B() { atomic { c?_; x = 1; x = 2 } ; assert(x == 2 || x == 9) }
