/* Two formulas: the first is the default, -N names another. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -N good */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -N bad */
byte x;
active proctype A() { do :: x < 3 -> x++ :: else -> x = 0 od }
ltl good { []<> (x == 3) }
ltl bad { [] (x < 3) }
