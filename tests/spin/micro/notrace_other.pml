/* A notrace that is not matched: only the first try counts. */
chan c = [4] of { byte };
active proctype A() { c!1; c!3; c!1; c!2 }
notrace { c!1; c!2 }
