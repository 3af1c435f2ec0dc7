/* Both in atomic: control passes to the receiver. */
byte x;
chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c!0; x = 2 } }
active proctype B() { atomic { c?_; assert(x == 1); x = 5; assert(x == 5) } }
active proctype C() { assert(x != 5 || true) }
