/* -DNOCLAIM: as if there were no claim. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE -DNOCLAIM |  */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
never { do :: x == 2 -> break :: else od }
