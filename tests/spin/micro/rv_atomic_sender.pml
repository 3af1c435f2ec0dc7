/* The sender's atomic is lost at the hand-over when the receiver is not in one. */
byte x;
chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c!0; x = 2; x = 3 } }
active proctype B() { c?_; assert(x == 1); assert(x == 1) }
