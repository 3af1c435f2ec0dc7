/* In passing only element 0 of an array is set; at creation the array is zero. */
byte n;
active proctype A() { do :: n < 2 -> { byte a[2] = 3; assert(a[0] == 3 && a[1] == n); a[0] = 9; a[1] = 1; n++ } :: else -> break od }
