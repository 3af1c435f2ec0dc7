/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* Or that it is a formula. */
byte x;
active proctype A() { byte n; again: n < 2 -> n++; x = 1 - x; L: goto again }
ltl p { [] (A@L -> x < 2) }
