/* Where nothing moves any more np_ does not hold: it is seen once only. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype P() { x = 1; end: x == 2 }
never { do :: true :: np_ && x == 1 -> np_ -> break od }
