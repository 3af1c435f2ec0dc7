/* An initialiser at the top of a body is done when the process is made. */
byte g;
active proctype A() { byte x = 5; g = x }
