/* A main part that begins with a jump is none. */
byte x;
init { { goto F0 } unless { x == 1; x = 5 }; x = 3; F0: x = 4 }
