/* A poll of a rendezvous channel is refused. */
chan c = [0] of { byte };
active proctype A() { c!1 }
active proctype B() { c?[1] -> c?1 }
