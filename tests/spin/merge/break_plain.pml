/* A break that is no step is passed. */
byte g;
active proctype A() { byte i, j;
  do :: g == 1 -> i = 1; break :: g == 2 -> i = 2; j = 3; break :: i == 3 -> break :: i == 4 -> i = 5 od;
  j = 2; i = 3;
  do :: i == 1 -> j = 1; break :: else -> break od;
  j = 4; g = 1
}
active proctype B() { byte i, j;
  do :: break :: i = 1; j = 2; break od;
  do :: i == 1; break :: g == 2; break od;
  g = 3;
  do :: j = 1; break :: i = 5; i = 7 od;
  g = 4
}
