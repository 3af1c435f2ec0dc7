/* An array declared in a block: in passing element 0 alone is set. */
byte n;
active proctype A() { do :: n < 2 -> { byte a[2] = 3; a[1] = a[1] + 1; n++ } :: else -> break od }
