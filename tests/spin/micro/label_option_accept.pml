/* run: -o1 -o2 -o3 | -DNOREDUCE | -a */
/* A label at the only statement of an option marks the loop. */
active proctype Q(){ byte j; do :: accept: j = 1 - j od }
