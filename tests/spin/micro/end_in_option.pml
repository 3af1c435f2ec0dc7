/* An end label on a do is the state of its guards. */
chan c = [1] of { byte };
active proctype A() { byte x; end: do :: c?x od }
