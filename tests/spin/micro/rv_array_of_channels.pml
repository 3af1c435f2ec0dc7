/* Rendezvous over an array of channels: the index decides the partner. */
chan c[2] = [0] of { byte };
active proctype A() { c[1]!1 }
active proctype B() { if :: c[0]?_ -> assert(false) :: c[1]?_ fi }
