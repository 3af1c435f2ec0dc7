/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* A loop whose only option is an `unless`, in an `unless`; the conditions come
   and go. */
byte x, seen;
bool c, d;
active proctype A() {
  {
    do
    :: { x < 3; x++ } unless { c -> c = 0; seen = seen | 1 }
    od
  } unless { d -> seen = seen | 2 }
}
active proctype B() { c = 1; d = 1 }
