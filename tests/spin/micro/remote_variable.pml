/* A remote variable. */
active proctype A() { byte v; v = 3; v = 4 }
active proctype B() { assert(A:v != 5); A:v == 3 }
