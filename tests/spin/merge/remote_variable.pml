/* Where a local is read by others nothing at all is merged. */
byte g;
active proctype A() { byte v, w; v = 3; v = 4; w = 1; w = 2; g = 1; w = 3; v = 4; g = 2 }
active proctype B() { byte i; i = 1; i = 2; assert(A:v != 5); A:v == 3; atomic { g = 1; g = 2; i = 3 }; i = 4; i = 5 }
active proctype C() { byte k; k = 1; k = 2; k = 3 }
