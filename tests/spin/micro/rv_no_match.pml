/* A receiver whose constant does not match is no partner. */
chan c = [0] of { byte };
active proctype A() { end: c!7 }
active proctype B() { end: c?6 }
