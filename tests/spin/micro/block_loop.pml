/* A block that begins with a loop: entering the block is another place than going on with the loop. */
byte x;
active proctype A() { x = 1; { do :: x < 3 -> x = 3 - x :: x == 2 -> break od }; x = 0 }
