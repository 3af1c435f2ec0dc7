/* The number that is received is that of the process. */
chan c = [2] of { byte, byte };
byte x;
active proctype A() { c!0,3; c?_pid,x; assert(x == 3 && _pid == 0) }
active proctype B() { c??[1,_]; c?_pid,x }
