/* timeout inside an atomic: others move first. */
byte x, y;
active proctype A() { atomic { x = 1; timeout -> x = 2 } }
active proctype B() { y = 1; y = 2 }
