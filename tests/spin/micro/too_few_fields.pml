/* Fewer values than the channel has fields: an error of the run. */
chan c = [1] of { byte, byte };
active proctype A() { c!5; assert(c?[5,0]) }
