/* Channels of an array; a channel under two names. */
chan c[2] = [2] of { byte };
active proctype A() { c[0]!1; c[1]!2; run B(c[1]) }
proctype B(chan p) { p!1; p?2 }
trace { c[1]!2; c[1]!1 }
