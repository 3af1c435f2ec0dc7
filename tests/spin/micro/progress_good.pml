/* Every cycle has progress. */
/* run: -o1 -o2 -o3 | -DNP -DNOREDUCE | -l */
byte x;
active proctype A() { do :: x = 1 - x; progress: skip od }
