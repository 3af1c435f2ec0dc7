/* A claim amid the text has its numbers there. */
byte x;
active proctype A() { x = 1; x = 2 }
never { do :: x == 7 -> break :: else od }
active proctype B() { x = 3; if :: x == 3 -> skip :: else fi }
