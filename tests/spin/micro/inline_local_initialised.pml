/* A local of an inline with an initialiser. */
byte n;
inline f(a) { byte t = 1; t = t + a; n = n + t }
active proctype A() { byte i; do :: i < 2 -> f(i); i++ :: else -> break od; assert(n == 3) }
