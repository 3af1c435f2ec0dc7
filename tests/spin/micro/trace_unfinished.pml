/* The run ends before the trace does. */
chan c = [2] of { byte };
active proctype A() { c!1 }
trace { c!1; c!2 }
