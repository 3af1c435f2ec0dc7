/* A formula that fails, by a cycle. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { do :: x < 3 -> x++ :: x = 0 od }
ltl p { []<> (x == 3) }
