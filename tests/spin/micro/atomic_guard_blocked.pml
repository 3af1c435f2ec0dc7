/* Blocked at its first statement an atomic has not begun. */
byte x, y;
active proctype A() { atomic { y == 1; x = 2; x = 3 }; x = 4 }
active proctype B() { y = 1 }
