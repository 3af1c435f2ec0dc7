/* Too many fields for the message that is there. */
chan c = [1] of { byte, bit };
active proctype P() { if :: c?_,_,_ :: c?[1,1,1] fi }
active proctype Q() { c!1,1 }
