/* A jump that a block begins with is a step. */
byte x;
active proctype A() { x = 1; { goto M; x = 1 }; x = 2; M: x = 3; atomic { x = 4; { goto N; x = 5 }; x = 6; N: x = 7; x = 8; atomic { goto O; x = 10 }; x = 11; O: x = 12; { goto P }; x = 13; P: x = 14 }; if :: { goto Q } :: { x = 15; { goto Q } } fi; Q: do :: x = 16; { break } :: x = 17; atomic { break } od }
active proctype B() { x = 20 }
