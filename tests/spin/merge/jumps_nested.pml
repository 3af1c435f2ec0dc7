/* Jumps out of nested sequences, receives and sends. */
byte g; chan q = [2] of {byte};
active proctype A() { byte i, j;
  do :: atomic { q?i; j = 1; break } :: atomic { q!1; g = 2; if :: g == 3; atomic { g = 4; break } :: g = 5; { g = 6; goto L } fi } od;
  j = 5; j = 6;
L: printf("%d\n", j); i = 3; assert(i == 3); j = 4;
  do :: d_step { g == 1; g = 2 }; j = 1; break :: timeout -> i = 1; break :: q?i -> j = 1; i = 2; break od;
E: goto F;
  i = 8;
F: i = 9; j = 3
}
