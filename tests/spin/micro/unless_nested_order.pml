/* Outer and inner escape at once: the outer one wins, with -J of pan the inner one. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J */
byte x, y;
active proctype A()
{
    { { x = 1; x = 2 } unless { d_step { x == 1 -> y = 1; x = 5 } } }
    unless { d_step { x == 1 -> y = 2; x = 5 } };
    assert(y == 1)
}
