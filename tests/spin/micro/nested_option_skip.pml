/* An option that is only skip, and one that is only a block. */
byte x;
active proctype A() { if :: skip :: { x = 1 } :: true -> x = 2 fi }
