/* Fewer values than the channel has fields: the rest is zero. */
chan c = [1] of { byte, byte };
active proctype A() { c!5; assert(c?[5,0]) }
