/* Values of variables in a trace. */
chan c = [2] of { byte };
byte x = 1;
active proctype A() { c!1; x = 2; c!2; c?1 }
trace { c!x; c!x; }
