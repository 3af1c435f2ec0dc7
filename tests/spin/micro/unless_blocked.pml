/* The main part blocks, the escape frees it. */
byte x;
active proctype A() { { x == 7 } unless { x == 1 -> x = 2 } }
active proctype B() { x = 1 }
