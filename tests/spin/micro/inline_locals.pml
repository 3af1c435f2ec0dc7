/* Locals of an inline are locals of the process, one set per call. */
byte n;
inline f(a) { byte t; t = a; n = n + t }
active proctype A() { f(2); f(3); assert(n == 5) }
