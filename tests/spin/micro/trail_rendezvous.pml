/* A trail through a run, a rendezvous, an atomic and a d_step. */
byte x;
chan c = [0] of { byte };
proctype B() { byte y; c?y; d_step { x = 7; y = 8 }; assert(x != 7) }
init { atomic { run B(); x = 1 }; c!5; x = 2 }
