/* Who receives in a rendezvous has moved: a run of meetings alone is fair to both. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a -f */
chan q = [0] of { bit };
bit x, y;
active proctype A() { do :: q!1 od }
active proctype B() { do :: q?x :: y = 1 od }
ltl p { <> (y == 1) }
