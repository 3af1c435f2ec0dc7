/* && and || stop early: no bad index here. */
byte a[2], i = 2;
active proctype A() { assert(i >= 2 || a[i] == 0); if :: i < 2 && a[i] == 0 :: else fi }
