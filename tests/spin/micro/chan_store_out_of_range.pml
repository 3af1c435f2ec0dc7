/* The new index may be one too large. */
chan c = [4] of { byte, byte };
byte t[3];
active proctype P() { byte i = 0; c!3,5; c?i,t[i] }
