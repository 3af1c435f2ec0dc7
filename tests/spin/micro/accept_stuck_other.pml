/* Who stands at an accept label need not be the last one that moved. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -f */
byte x;
active proctype P() { x = 1; x = 3 }
active proctype Q() { end: accept: x == 2 }
