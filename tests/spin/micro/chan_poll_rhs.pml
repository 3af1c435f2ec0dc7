/* A poll with a variable matches any value and writes nothing. */
byte x;
chan c = [2] of { byte };
active proctype A() { c!5; assert(c?[x]); assert(x == 0) }
