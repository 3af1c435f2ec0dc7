/* The same in a rendezvous. */
chan c = [0] of { byte, byte };
byte t[3];
active proctype P() { c!2,5; c!3,1 }
active proctype Q() { byte i; c?i,t[i]; assert(t[2] == 5); c?i,t[i] }
