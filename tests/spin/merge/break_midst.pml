/* A break or jump in the midst of an atomic sequence. */
byte g;
active proctype A() { byte i, j;
  do :: atomic { g = 1; if :: g == 1 -> break :: i = 2; break :: i == 3 -> i = 4; j = 5; break :: else -> break fi; j = 3 } od;
  j = 2; i = 3;
  do :: atomic { g == 1; if :: g == 1 -> break :: break :: g = 1; g = 4; break fi; j = 3 } od;
  j = 2; g = 3;
  do :: atomic { g = 1; if :: g == 1 -> g = 2; goto L fi; j = 3 } od;
L: goto M;
M: g = 4; i = 3;
  do :: atomic { g = 1; if :: g == 1 -> g = 2; goto N :: g == 2 -> goto N fi; j = 3 } od;
N: do :: atomic { g = 1; goto K } od;
K: g = 4
}
