/* A longer loop inside a d_step is still one step. */
byte x;
active proctype A() { d_step { x = 1; do :: x < 200 -> x++ :: x >= 200 -> x = 0; break od } }
