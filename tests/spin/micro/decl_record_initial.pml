/* What a record is initialised with at the beginning is ignored. */
typedef R { byte a; byte b = 4 }
typedef Q { R r = 3; byte z = 2 }
R g[2] = 5;
Q q;
active proctype A() {
  R r[2] = 3;
  R s = 7, t[2] = {1, 2};
  byte k = 7;
  assert(r[0].a == 0 && r[1].b == 4 && s.a == 0 && t[1].a == 0 && g[1].b == 4 && q.r.b == 4 && q.z == 2);
  k = 8
}
