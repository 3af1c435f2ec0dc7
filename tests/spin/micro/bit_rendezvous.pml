/* The same for a rendezvous. */
chan c = [0] of { bool };
byte x;
bit b[2];
active proctype A() { c!6 }
active proctype B() { c?b[1]; assert(b[1] == 6) }
