/* An escape that begins with a jump is what stands where it leads. */
byte x;
init { { x = 1; x = 2 } unless { goto F0 }; x = 3; F0: x = 4 }
