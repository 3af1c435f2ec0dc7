/* Two ways through an atomic to one state: one stored, one matched. */
byte x;
active proctype A() { atomic { if :: x = 1 :: x = 2 fi; x = 3 } }
