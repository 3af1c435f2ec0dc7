/* A sender that does not find a partner leaves no state. */
chan c = [0] of { byte };
byte x;
active proctype A() { do :: c!1 :: x < 2 -> x++ :: x == 2 -> break od }
active proctype B() { (x == 2); if :: c?1 :: true fi }
