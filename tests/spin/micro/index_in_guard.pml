/* A bad index in a guard. */
byte a[2], i = 2;
active proctype A() { if :: a[i] == 0 -> skip :: else fi }
