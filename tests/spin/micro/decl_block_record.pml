/* A record declared in a block: passing is a step without effect. */
typedef R { byte a = 3; byte b };
byte n;
active proctype A() { do :: n < 2 -> { R r; r.a++; n++ } :: else -> break od }
