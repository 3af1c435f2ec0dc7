/* Elements of a bit array are bytes. */
bit a[2]; bool b[2] = 3;
active proctype A() { a[0] = 2; assert(a[0] == 2 && b[1] == 3); a[1] = a[0]; assert(a[1] == 2) }
