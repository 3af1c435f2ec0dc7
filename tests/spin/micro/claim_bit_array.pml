/* A bit array that only a claim assigns has bytes too. */
bit x[2];
byte n;
active proctype A() { n = 1; n = 2 }
never { do :: n == 1 -> x[1] = 6; assert(x[1] == 6) :: else od }
