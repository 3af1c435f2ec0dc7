/* Processes rest at an end state, the notrace is not over. */
chan c = [4] of { byte };
active proctype A() { c!1; end: false }
notrace { c!1; c!2 }
