/* A receiver that is not allowed to move takes no message. */
byte x; bool may;
chan c = [0] of { byte };
active proctype A() { end: c!1; x = 1 }
active proctype B() provided (may) { end: c?_ }
active proctype C() { may = true; may = false }
