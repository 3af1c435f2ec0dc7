/* `else` in a d_step and what follows it are one step: nobody changes x in between. */
byte x, y;
active proctype A() {
  if
  :: d_step { x == 1 -> y = 2 }
  :: d_step { else -> y = 3; assert(x == 0) }
  fi
}
active proctype B() { x = 1 }
