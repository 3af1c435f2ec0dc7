/* Rendezvous events in a trace. */
chan c = [0] of { byte };
active proctype A() { c!1; c!2 }
active proctype B() { c?1; c?2 }
trace { do :: c!1; c!2 od }
