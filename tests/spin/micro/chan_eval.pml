/* eval matches, and fields before it are not written when it fails. */
byte y = 3, x;
chan c = [2] of { byte, byte };
active proctype A() { c!7,4; if :: c?x,eval(y) :: else fi; assert(x == 0); y = 4; c?x,eval(y); assert(x == 7) }
