/* _last within sequences. */
byte x;
active proctype A() { atomic { x = _last; x = x + 2 }; x = _last }
active proctype B() { d_step { x = _last; x = x + 4 }; x = _last }
