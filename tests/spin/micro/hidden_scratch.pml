/* Within a step it is as good as any other. */
hidden byte h = 2;
byte x;
active [2] proctype A() { atomic { h = x + 1; x = h }; d_step { h = x; x = h + 1 }; assert(x <= 4) }
