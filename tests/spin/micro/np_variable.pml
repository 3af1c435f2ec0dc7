/* np_ is true when no process is at a progress label. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { do :: x = 1; progress: skip :: x = 0 od }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
