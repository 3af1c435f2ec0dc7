/* len of a rendezvous channel is 0, it is empty and full. */
chan c = [0] of { byte };
active proctype A() { end: c!1 }
active proctype B() { assert(len(c) == 0) }
