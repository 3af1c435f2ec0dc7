/* What follows an `else` that a block begins with is not the beginning of the block. */
byte x;
active proctype A() { do :: x < 2 -> x++ :: { else -> goto M; x = 9 } od; x = 5; M: x = 3; do :: x < 5 -> x++ :: { else -> break; x = 8 } od; do :: x < 7 -> x++ :: atomic { else -> break; x = 7 } od; do :: x < 9 -> x++ :: atomic { else -> x = 20; goto N } od; N: x = 11; do :: x < 13 -> x++ :: atomic { else -> goto O } od; O: x = 1 }
active proctype B() { x = 1 }
