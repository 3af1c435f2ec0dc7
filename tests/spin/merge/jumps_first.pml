/* Jumps that begin an option, beside rendezvous channels. */
byte g; chan c = [0] of {byte};
active proctype A() { byte i, j;
  do :: break :: i = 1; j = 2; break :: c?i; j = 3; break :: c!1; break :: c!2; i = 2; break :: goto L :: i = 3; goto L od;
  j = 1; i = 2;
  do :: atomic { c!1; break } :: atomic { c?i; break } :: atomic { break } :: atomic { c!2; i = 1; break } :: atomic { goto L } od;
  j = 3; i = 4; g = 1;
  do :: atomic { g = 1; if :: c!1; break :: c?i; i = 4; break :: else; goto L fi; g = 3 } od;
  j = 3; i = 4; g = 1;
  if :: goto L :: i = 1; goto K :: else fi;
L: i = 1; j = 2; goto K; i = 5;
K: j = 3; goto M;
  g = 4;
M: i = 2; { i = 3; j = 4; { j = 5; g = 6 }; j = 7; j = 8 }; i = 9; if :: i == 1 -> j = 2; i = 4 :: j = 5; j = 6 :: else -> i = 7; i = 8 fi; j = 9; j = 10; g = 2
}
