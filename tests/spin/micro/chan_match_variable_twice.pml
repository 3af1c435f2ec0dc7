/* A variable received twice in one message is refused. */
byte x;
chan c = [1] of { byte, byte };
active proctype A() { c!1,2; c?x,x; assert(x == 2) }
