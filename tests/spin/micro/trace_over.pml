/* An event behind the end of the trace. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
trace { c!1 }
