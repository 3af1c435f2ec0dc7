/* else of a selection that opens an option: it is taken, though x == 0 of the outer one holds. */
byte x;
active proctype A() { if :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: x == 0 -> x = 4 fi }
