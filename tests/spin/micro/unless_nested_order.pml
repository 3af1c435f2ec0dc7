/* Outer and inner escape at once: the outer one wins, and -J changes nothing here. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
/* run: -J -o1 -o2 -o3 | -DSAFETY -DNOREDUCE |  */
byte x, y;
active proctype A()
{
    { { x = 1; x = 2 } unless { d_step { x == 1 -> y = 1; x = 5 } } }
    unless { d_step { x == 1 -> y = 2; x = 5 } };
    assert(y == 1)
}
