/* else beside a receive: true while the channel is empty. */
byte x;
chan c = [1] of { byte };
active proctype A() { if :: c?_ :: else -> x = 1 fi }
active proctype B() { c!1 }
