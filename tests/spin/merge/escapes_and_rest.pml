/* Escapes, deterministic steps, generated loops, conditions. */
byte g; chan q = [1] of {byte};
active proctype A() { byte i, j;
  { i = 1; j = 2; do :: i = 3; break :: g == 1; break od; i = 4; j = 5 } unless { g == 3; i = 1; j = 2 };
  i = 3; j = 4;
  atomic { g = 1; do :: g == 1; { g = 2; break } :: g == 2; atomic { g = 3; break } :: g == 3; if :: g = 4; break :: break :: else -> skip; g = 5; break fi :: else -> break od; g = 7; g = 8 };
  d_step { g = 1; do :: g == 1; g = 2; break :: else -> break od }; i = 2; j = 3;
  do :: d_step { g == 1; g = 2 }; break :: d_step { g == 2; g = 3 }; i = 1; break :: q?i; if :: i == 1; break :: i == 2; j = 3 fi; j = 4 od;
  skip; i = 1; skip; j = 2; (i == 1); i = 3; (g == 2); i = 4; q?j; i = 5; q!1; i = 6; j = 7;
  for (i : 1 .. 3) { j = 2; if :: j == 2 -> break :: else fi; g = 2 }
  j = 5; select(i : 2 .. 4); j = 6; i = 7; true; i = 8; false; i = 9; i = 10
}
