/* Processes made in different order are different states. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -E */
byte n;
proctype B() { false }
proctype C() { false }
init { if :: run B(); run C() :: run C(); run B() fi; n = 1; false }
