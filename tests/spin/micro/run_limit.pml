/* The 256th process is an error that ends the run. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE -DVECTORSZ=16384 |  */
proctype B() { false }
init { byte i; do :: i < 255 -> run B(); i++ :: else -> break od }
