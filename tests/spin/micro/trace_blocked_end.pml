/* Processes rest at an end state, the trace does not. */
chan c = [2] of { byte };
active proctype A() { c!1; end: false }
trace { c!1; c!2 }
