/* A jump whose label is asked for is a step: there is a place to be at. */
byte x;
active proctype A() { again: x = 1; x = 0; L: goto again }
active proctype B() { if :: A@L -> assert(x == 1) fi }
