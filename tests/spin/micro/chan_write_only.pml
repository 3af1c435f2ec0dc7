/* Received into _: nothing is kept. */
chan c = [2] of { byte, byte };
active proctype A() { do :: c!1,2; c?_,_ od }
