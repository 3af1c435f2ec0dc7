/* The system is dead, the claim still moves to its end. */
byte x;
active proctype A() { x = 1 }
never { x == 0; x == 1; x == 1; x == 1; x == 1; x == 1 }
