/* A message of one bit is a byte, a bit among others is a bit. */
chan c = [1] of { bit };
chan d = [1] of { bit, bit };
byte x;
active proctype A() { c!2; c?x; assert(x == 2); d!2,3; d?x,_; assert(x == 0) }
