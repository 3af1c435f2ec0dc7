/* A non-progress cycle. */
/* run: -o1 -o2 -o3 | -DNP -DNOREDUCE | -l */
byte x;
active proctype A() { do :: x = 1 - x :: x = 2; progress: x = 0 od }
