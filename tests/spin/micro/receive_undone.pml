/* SPIN undoes a receive with the value of the variable: a 2 received into a bit is put back as 0. */
chan c = [1] of { byte, byte };
byte x;
active proctype C() { byte y; c?x,y; assert(y == 2) }
active proctype B() { bit b; c?x,b }
active proctype A() { c!1,2 }
