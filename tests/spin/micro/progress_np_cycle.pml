/* np_ holds again and again where something moves. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype P() { do :: x = 1 - x od }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
