/* One send, two that take it. */
chan c = [0] of { byte };
active D_proctype W() { c!1 }
active [2] proctype R() { end: c?1 }
