/* A receive that leaves out fields is an error once there is a message. */
chan c = [1] of { byte, byte };
active proctype A() { c!1,1 }
active proctype B() { byte x; c?x }
