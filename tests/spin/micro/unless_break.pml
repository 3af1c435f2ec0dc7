/* The same with `break`; in a block of its own the jump is a step. */
byte x;
init { do :: { x = 1; x = 2 } unless { break } od; do :: { x = 3; x = 4 } unless { { break } } od }
