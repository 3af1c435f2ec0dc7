/* An endless loop inside a d_step is not noticed by pan (run with a time limit). */
byte x;
active proctype A() { d_step { x = 1; do :: x < 200 -> x++ :: x >= 200 -> x = 0; break od } }
