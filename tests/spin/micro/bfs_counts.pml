/* A breadth-first search stores halves of rendezvous and the inside of atomics too. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE -DBFS |  */
byte x; chan c = [0] of { byte };
active [2] proctype A() { atomic { x++; x++ }; c!1; x = 0 }
active [2] proctype B() { c?_; atomic { x = 2; x = 3 } }
