/* A run that ends, or is stuck, has no cycle. */
/* run: -o1 -o2 -o3 | -DNOREDUCE -DNP | -l */
/* run: -o1 -o2 -o3 | -DNOREDUCE -DNP | -l -f */
byte x;
active proctype P() { x = 1; if :: x == 1 :: x == 2 fi; do :: x < 3 -> x++ od }
