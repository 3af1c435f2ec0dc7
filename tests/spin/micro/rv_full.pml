/* A rendezvous channel is never full. */
chan c = [0] of { byte };
byte x;
active proctype P() { if :: nfull(c) -> x = 1 :: full(c) -> x = 2; x = 3 fi }
