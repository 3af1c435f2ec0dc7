/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* Three deep, in loops and selections. */
byte x, seen;
bool c, d, e;
active proctype A() {
  {
    do
    :: {
         if
         :: { x < 2; x++ } unless { c -> c = 0; seen = seen | 1 }
         :: x == 2 -> x = 0
         fi
       } unless { d -> d = 0; seen = seen | 2 }
    :: x == 1 -> x = 2; x = 1
    od
  } unless { e -> seen = seen | 4 }
}
active proctype B() { atomic { c = 1; d = 1 }; e = 1 }
