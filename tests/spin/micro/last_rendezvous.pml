/* The receiver of a rendezvous moved last. */
chan c = [0] of { byte };
byte x;
active proctype A() { c!1; x = 1; c!2 }
active proctype B() { c?1; x = _last; c?2; x = _last }
