/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* The inner escape begins with a selection that has an `unless` of its own. */
byte x, seen;
bool c, d;
active proctype A() {
  {
    if
    :: { x = 1; x = 2 } unless {
         if
         :: c -> { seen = 1; seen = 2 } unless { x == 2 -> seen = 5 }
         :: x == 2 -> seen = 6
         fi
       }
    fi;
    x = 4
  } unless { d -> seen = seen + 8 }
}
active proctype B() { c = 1; d = 1 }
