/* In atomic and d_step. */
byte x;
active proctype A() {
  atomic { byte k = 1; L: k++; if :: k < 4 -> goto L :: else fi };
  d_step { byte m; M: m++; if :: m < 4 -> goto M :: else fi; x = m };
  assert(x == 4)
}
