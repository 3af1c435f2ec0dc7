/* A label that others ask for changes nothing else. */
byte g;
active proctype A() { byte v, w; v = 3; L: v = 4; w = 1; w = 2; g = 1; w = 3; v = 4; g = 2 }
active proctype B() { byte i; i = 1; i = 2; assert(!A@L); i = 3; i = 4 }
