/* The end of a selection is a step behind a d_step too: a process of higher rank breaks in there. */
byte x;
active proctype A() priority 1 { atomic { x = 1; if :: x == 1 -> d_step { x = 2; x = 3 } :: else fi }; x = 4 }
active proctype B() priority 2 { x == 3 -> x = 5 }
