/* pan adds a step that it has tried before to the trail of a claim that ends. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype Q() { end: x == 9 }
active proctype P() { x = 1; x = 2; x = 3 }
never { do :: true :: x == 2 -> break od }
