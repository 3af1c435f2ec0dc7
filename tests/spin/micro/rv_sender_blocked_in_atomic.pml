/* Blocked at the send inside an atomic, then matched. */
byte x;
chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c!0; x = 2; x = 3 } }
active proctype B() { x == 1; c?_; assert(x != 2) }
