/* ltl []p with -DSAFETY: violated when the claim reaches its end. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { do :: x < 3 -> x++ :: else -> x = 0 od }
ltl p { [] (x < 3) }
