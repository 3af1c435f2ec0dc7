/* Division by zero stops pan by a signal. */
byte x, y;
active proctype A() { x = 1; y = x / y }
