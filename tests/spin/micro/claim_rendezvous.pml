/* A rendezvous is one step of the system between two steps of the claim. */
chan c = [0] of { byte };
active proctype A() { c!1 }
active proctype B() { c?1 }
never { do :: true od }
