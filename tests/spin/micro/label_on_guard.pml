/* A label on the first statement of an option marks the state behind that statement. */
/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
byte x;
active proctype A() { do :: accept: x = 1; x = 2 :: x == 2 -> x = 3; x = 2 od }
