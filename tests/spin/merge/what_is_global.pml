/* What counts as global. */
byte g; typedef R { byte a; byte b[2] }; R r; local byte lg; hidden byte h; show byte s; chan q = [2] of {byte};
active proctype A() { byte i, j, a[3]; R x;
  i = _nr_pr; i = 1; j = 2; i = _last; j = 3; i = 3; i = _pid; i = 4; a[g] = 2; a[1] = 3; x.b[g] = 1; i = 2; j = a[g]; i = 3;
  x.a = r.a; i = 1; lg = 2; i = 2; h = 3; i = 3; s = 4; i = 4; i = len(q); j = 4; i = (i == 1 -> g : 3); j = 3; i = enabled(0); i = 2;
  j = a[len(q)]; i = 2; printf("%d", g); i = 2; printf("%d", i); j = 2; assert(g == 0); i = 2; _ = 3; i = 2; i = 1
}
