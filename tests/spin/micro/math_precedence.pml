/* Precedence of bit operators and comparisons, as in C. */
active proctype A() { assert((6 & 3 == 3) == 0); assert((1 + 2 << 1) == 6); assert((!0 == 1)) }
