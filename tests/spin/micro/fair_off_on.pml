/* Weak fairness: B must move. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -f */
byte x, y;
active proctype A() { do :: x = 1 - x od }
active proctype B() { y = 1 }
ltl p { <> (y == 1) }
