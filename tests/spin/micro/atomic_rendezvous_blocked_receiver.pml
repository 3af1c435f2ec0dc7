/* The receiver's atomic blocks right after the hand-over: the state is stored. */
byte x;
chan c = [0] of { byte };
active proctype A() { c!0; x = 1 }
active proctype B() { atomic { c?_; x == 1; x = 2; x = 3 } }
active proctype C() { assert(x != 2) }
