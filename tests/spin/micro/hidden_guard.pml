/* It decides which option is taken. */
hidden byte h;
active proctype A() { h = 3; if :: h == 3 -> assert(false) :: else fi }
