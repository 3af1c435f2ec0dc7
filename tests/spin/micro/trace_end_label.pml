/* Processes rest at an end state, the trace too. */
chan c = [2] of { byte };
active proctype A() { c!1; end: false }
trace { do :: c!1; end1: c!2 od }
