/* After the end of all processes the claim goes on alone. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
byte x;
active proctype A() { x = 1 }
never { x == 0; x == 1; x == 1; x == 1; x == 1; accept: do :: true od }
