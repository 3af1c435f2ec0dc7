/* What a claim changes where nothing moves may let something move again: then np_ holds again. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x, y;
active proctype P() { x = 1; x == 2; do :: y = 1 - y od }
never { do :: x != 1 :: x == 1 -> break od; true; true; x = 2; accept: do :: np_ od }
