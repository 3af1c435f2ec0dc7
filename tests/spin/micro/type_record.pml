/* Records with arrays inside arrays. */
typedef In { byte v[2]; bit f };
typedef Out { In i[2]; short s = 3 };
Out o[2];
active proctype A() { o[1].i[1].v[1] = 9; assert(o[1].i[0].v[1] == 0 && o[0].s == 3 && o[1].i[1].v[1] == 9) }
