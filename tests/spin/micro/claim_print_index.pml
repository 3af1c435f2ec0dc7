/* A printf of a claim reads beyond an array. */
byte x, a[2];
active proctype A() { x = 1; x = 2 }
never { do :: printf("%d", a[x]) od }
