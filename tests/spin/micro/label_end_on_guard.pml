/* So does an end label: the state before the guard is not marked. */
byte x;
active proctype A() { do :: end: x == 1 -> x = 2 od }
