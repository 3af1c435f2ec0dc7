/* A trace looks only at the channels it names; its position is part of the state. */
byte x;
chan c = [1] of { byte };
chan d = [1] of { byte };
active proctype A() { d!1; d?1; c!1; c?1; x = 0 }
trace { do :: c!1 :: c!2 od }
