/* One option at a time is fine, else too. */
byte x;
D_proctype W(byte a) { if :: x == 0 -> x = 1 :: x == a -> x = 2 :: else fi; do :: x < 3 -> x++ :: x >= 3 -> break od }
init { run W(3) }
