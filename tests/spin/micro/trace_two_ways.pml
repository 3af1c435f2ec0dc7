/* A trace that can follow in two ways. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
trace { if :: c!_ :: c!1 fi; c!2 }
