/* What is enabled: ends, selections, sends, receives, processes that are gone. */
chan c = [1] of { byte };
byte x, y;
active proctype A() { c!1; c!2; if :: y == 9 :: y == 2 fi }
active proctype B() { do :: atomic { x < 4 -> x = x + 1; y = (enabled(0) -> 2 : 1) } :: x == 4 -> break od; c?1; y = enabled(0); y = enabled(5); y = enabled(2) }
active proctype C() { skip }
