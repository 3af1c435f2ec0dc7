/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* The inner `unless` begins the last option: its escape goes before the outer
   one, and alone. */
byte x, seen;
bool c = 1, d = 1;
active proctype A() {
  {
    if
    :: x == 7 -> x = 3
    :: { x = 1; x = 2 } unless { c -> seen = 1 }
    fi;
    x = 4
  } unless { d -> seen = 2 };
  assert(seen == 1)
}
