/* Each receiver that matches is a successor. */
chan c = [0] of { byte };
active proctype A() { c!7 }
active [2] proctype B() { byte x; end: c?x }
