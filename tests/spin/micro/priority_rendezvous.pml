/* Priorities cannot be combined with rendezvous. */
chan c = [0] of { byte };
active proctype A() priority 4 { c!1 }
active proctype B() { c?1 }
