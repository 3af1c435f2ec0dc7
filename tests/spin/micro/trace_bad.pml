/* An event that the trace does not expect. */
chan c = [2] of { byte };
active proctype A() { c!1; c!1 }
trace { c!1; c!2 }
