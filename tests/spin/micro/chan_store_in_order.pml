/* Fields of a message are stored one after the other: an index may be new. */
chan c = [4] of { byte, byte };
byte t[3];
active proctype P() { byte i = 0; c!2,5; c?i,t[i]; assert(t[2] == 5) }
