/* _last is part of the state when it is used. */
byte x;
active [2] proctype A() { x = 1; x = 0; assert(_last >= 0) }
