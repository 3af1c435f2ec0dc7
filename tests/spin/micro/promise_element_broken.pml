/* The other element. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c[2] = [1] of { byte };
byte i;
active proctype A() { xs c[0]; c[0]!1 }
active proctype B() { xs c[1]; c[1-i]!1; i = 1; if :: c[1-i]!1 :: skip fi }
