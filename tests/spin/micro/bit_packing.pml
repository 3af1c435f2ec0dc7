/* Bits and bools side by side. */
bit a, b, c; bool d;
active [2] proctype A() { a = 1 - a; b = a; c = !b; d = c }
