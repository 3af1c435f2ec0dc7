/* A label before a do marks the state in which its guards are tried. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { accept: do :: x = 1; x = 2 :: x == 2 -> x = 3; x = 2 od }
