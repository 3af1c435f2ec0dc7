/* An escape by a rendezvous. */
byte x;
chan c = [0] of { byte };
active proctype A() { { do :: x = 1 - x od } unless { c?_ -> x = 7 } }
active proctype B() { c!0 }
