/* A sender of a rendezvous that finds nobody is an event. */
chan c = [0] of { byte };
chan d = [1] of { byte };
active proctype A() { end: c!1 }
active proctype B() { d!1 }
trace { d!1; c!1 }
