/* Each executable transition of the claim is followed. */
byte x;
active proctype A() { x = 1; x = 2 }
never { if :: true -> x == 1 -> x == 7 :: true -> true -> x == 7 fi }
