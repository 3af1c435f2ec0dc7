/* A trace automaton that follows. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
active proctype B() { c?1; c?2 }
trace { c!1; c!2 }
