/* An acceptance cycle through d_steps. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
bit x;
active proctype A() { do :: x = 1 - x od }
never {
    do :: d_step { true; if :: x == 0 -> skip :: x == 1 -> skip fi } :: x == 1 -> goto accept od;
accept: do :: d_step { x == x; if :: x == 0 -> skip :: x == 1 -> skip fi } od
}
