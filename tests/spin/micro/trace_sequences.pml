/* Events within atomic and d_step. */
chan c = [2] of { byte };
active proctype A() { atomic { c!1; c!2 }; d_step { c?1; c!1; c?2 } }
active proctype B() { skip }
trace { c!1; c!2; c!1 }
