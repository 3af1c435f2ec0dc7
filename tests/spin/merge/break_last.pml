/* A break at the end of an atomic sequence, local statements behind. */
byte g;
active proctype A() { byte i, j;
  do :: atomic { g == 1 -> break } :: atomic { i == 1 -> j = 1; break } :: atomic { g = 4; break } od;
  j = 2; i = 3;
  do :: atomic { g == 1 -> break } :: atomic { i == 1 -> j = 1; break } :: atomic { g = 4; break } od;
  j = 2; g = 3;
  do :: atomic { g == 1 -> break } :: atomic { i == 1 -> j = 1; break } :: atomic { g = 4; break } od;
  g = 2; i = 3
}
