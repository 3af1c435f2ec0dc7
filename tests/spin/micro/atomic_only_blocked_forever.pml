/* Nobody can free the blocked atomic: invalid end state. */
byte x;
active proctype A() { atomic { x = 1; x == 2; x = 3 } }
