/* When the receiver's atomic ends the sender does not get control back before others. */
byte x;
chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c!0; x = 2; x = 3 } }
active proctype B() { atomic { c?_; x = 5; x = 6 } }
active proctype C() { x == 6; assert(x == 6) }
