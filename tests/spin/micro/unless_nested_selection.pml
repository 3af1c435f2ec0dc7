/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
/* At a selection that begins with the inner `unless`, both escapes are tried;
   behind it the outer one goes first. */
byte x, seen;
bool c = 1, d = 1;
active proctype A() {
  {
    if
    :: { x = 1; x = 2 } unless { c -> seen = 1 }
    :: x == 7 -> x = 3
    fi;
    x = 4
  } unless { d -> seen = 2 }
}
