/* Jumps behind a d_step before the last statement of an atomic sequence. */
byte x, y;
chan c = [0] of { byte };
proctype None() {
  atomic { y = 1; if :: x == 1 -> d_step { y = 2; y = 3 } :: d_step { x == 2 -> y = 4 } fi; y = 9 };
  atomic { y = 1; if :: x == 1 -> d_step { y = 2; y = 3 } :: d_step { x == 2 -> y = 4 } fi; x == 9 };
  atomic { do :: x == 1 -> d_step { y = 2; y = 3 } :: x == 3 -> d_step { y = 4; y = 5 }; break od; y = 9 }
}
proctype Merged() {
  atomic { y = 1; if :: x == 1 -> y = 2 :: d_step { x == 2 -> y = 3; y = 4 } fi; y = 9 };
  atomic { y = 1; if :: x == 1 :: d_step { x == 2 -> y = 3; y = 4 } fi; y = 9 };
  atomic { y = 1; if :: d_step { x == 2 -> y = 3; y = 4 } :: x == 1 -> y = 2 fi; y = 9 };
  atomic { y = 1; if :: d_step { x == 2 -> y = 3 } :: x == 1 -> y = 2 :: d_step { x == 4 -> y = 4 } fi; y = 9 };
  atomic { do :: x == 1 -> y = 2; break :: x == 3 -> d_step { y = 4; y = 5 }; break od; y = 9 }
}
proctype Blocking() {
  atomic { y = 1; if :: x == 1 -> c!1 :: d_step { x == 2 -> y = 3; y = 4 } fi; y = 9 };
  atomic { y = 1; if :: d_step { x == 2 -> y = 3; y = 4 } :: x == 1 -> run None() fi; y = 9 }
}
proctype Several() {
  atomic { y = 1; if :: x == 1 -> y = 2 :: x == 3 -> y = 5 :: d_step { x == 2 -> y = 3; y = 4 } fi; y = 9 };
  atomic { y = 1; if :: x == 1 -> y = 2 :: d_step { x == 2 -> y = 3; y = 4 } fi; y = 9; y = 10; x = 11 }
}
init { run None(); run Merged(); run Blocking(); run Several() }
