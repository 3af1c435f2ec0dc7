/* After send 5, receive the channel equals a fresh one. */
chan c = [2] of { byte };
active proctype A() { byte x; do :: c!5; c?x; x = 0 od }
