/* And where the channel is a parameter and another field must be equal. */
chan c = [1] of { byte, byte };
proctype P(chan q) { end: q??2 }
init { run P(c); c!1,1; c?_,_ }
