/* unless in a claim. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { do :: x = 1; x = 2 od }
never { { do :: true od } unless { x == 2 }; accept: do :: x < 3 od }
