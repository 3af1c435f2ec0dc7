/* Selections, wildcards and jumps in a trace. */
mtype = { a, b };
chan c = [2] of { mtype, byte };
active proctype A() { if :: c!a,1 :: c!b,2 fi; c?_,_; c!a,3 }
trace { if :: c!a,_ :: c!b,2; goto next fi; next: do :: c!a,3; break :: c?_,_ od }
