/* 256 processes are active from the start. */
/* run: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE -DVECTORSZ=65536 | */
byte x;

active [200] proctype P() { x == 1 }

active [56] proctype Q() { skip }
