/* A record in a block is set at creation; passing is a step that does nothing. */
typedef R { byte a = 3; byte b };
byte n;
active proctype A() { do :: n < 2 -> { R r; assert(r.a == 3 + n); r.a++; n++ } :: else -> break od }
