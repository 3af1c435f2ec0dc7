/* A notrace that is matched to its end. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
notrace { c!1; c!2 }
