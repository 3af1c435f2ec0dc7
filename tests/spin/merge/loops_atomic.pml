/* Loops within atomic sequences. */
byte g;
active proctype A() { byte i, j;
  atomic { g = 1; do :: i < 3 -> i++; j = 1; if :: j == 1 -> break :: else fi; j = 4 :: else -> j = 2; break od; g = 3; g = 5 };
  atomic { g = 1; do :: i < 3 -> i++ :: i = 2; break :: else -> j = 2; break od };
  atomic { do :: i < 3 -> i++ :: i = 2; break :: break :: else -> break od; do :: g == 1 -> g = 2; break od; g = 3 };
  atomic { g = 1; do :: i < 3 -> do :: g = 2; break :: g == 3 -> g = 4; break :: g == 6 -> goto L od :: i > 4 -> break od; g = 9 };
  L: skip; i = 1; j = 2;
  atomic { g = 1; do :: g == 1 -> g = 2; break od unless { g == 3 -> g = 4; goto K } };
  K: i = 3; j = 4; g = 9
}
