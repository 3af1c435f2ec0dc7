/* Two receives of a D_proctype. */
chan c = [1] of { byte };
active D_proctype W() { byte y; end: do :: c?1 :: c?y od }
active proctype S() { c!1 }
