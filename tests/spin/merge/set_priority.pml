/* A priority that is set is a step of its own. */
byte g;
proctype B() { byte k; k = _priority; k = 2; g = 1 }
active proctype A() { byte i, j; byte p;
  p = run B();
  atomic { g = 1; set_priority(p, 3); g = 2; set_priority(p, 4); set_priority(p, 5); g = 3 };
  i = 1; set_priority(p, 2); i = 2; j = get_priority(p); j = 3
}
