/* Asked for more fields than there are. */
chan c = [1] of { byte, bit };
byte x;
active proctype P() { c!1,1; if :: c?[1,1,1] -> x = 1 :: else -> x = 2 fi }
