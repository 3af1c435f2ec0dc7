/* else as the only option is always executable. */
byte x;
active proctype A() { if :: else -> x = 1 fi; do :: else -> break od; x = 2 }
