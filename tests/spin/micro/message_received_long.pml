/* Who would take more fields than a message has is wrong only where there is one. */
chan c = [1] of { byte, bit };
byte x;
active proctype P() { do :: c?x,_,_ :: c?[1,1,1] :: x < 3 -> x++ :: x == 3 -> break od }
