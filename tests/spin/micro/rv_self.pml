/* A process cannot hand over to itself. */
chan c = [0] of { byte };
active proctype A() { if :: c!1 :: c?_ fi }
