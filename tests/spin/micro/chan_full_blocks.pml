/* A send to a full channel blocks. */
chan c = [1] of { byte };
active proctype A() { c!1; c!2 }
