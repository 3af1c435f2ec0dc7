/* An atomic sequence that begins with a loop has a place of its own before it. */
byte x, y; chan c = [2] of { byte };
active proctype A() {
  x = 1;
  atomic { do :: c?y; if :: y == 1 :: else -> break fi od; x = 2 };
  x = 3
}
active proctype B() { c!1; c!1; c!2; x = 0 }
