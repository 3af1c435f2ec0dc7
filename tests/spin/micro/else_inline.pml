/* The body of an inline begins with `else`, in a block that calls it first. */
byte x, y;
inline otherwise() { else -> y = 3; y = 5 }
active proctype A() {
  if
  :: x == 1 -> y = 2
  :: atomic { otherwise(); y = 6 }
  fi
}
active proctype B() { x = 1; x = 2 }
