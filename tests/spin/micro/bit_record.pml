/* A bit of a record is a bit, a bit array of a record is bytes. */
typedef R { bit k; bit h[2] };
R r;
active proctype A() { r.k = 2; r.h[1] = 6; assert(r.k == 0 && r.h[1] == 6) }
