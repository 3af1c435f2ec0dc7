/* A remote label refers to the state of the process. */
byte x;
active proctype A() { x = 1; L: x = 2; x = 3 }
active proctype B() { if :: A@L -> assert(x == 1) :: else fi }
