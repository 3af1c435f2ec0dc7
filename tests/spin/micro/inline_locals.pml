/* Locals of an inline are locals of the process, one per call, set to 0 by a step. */
byte n;
inline f(a) { byte t; t = a; n = n + t }
active proctype A() { f(2); f(3); assert(n == 5) }
