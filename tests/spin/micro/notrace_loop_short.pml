/* The same with one place only. */
chan q = [1] of { byte };
byte x;
active proctype A() { q!2; q?x; q!1; q?x }
notrace { do :: q!1 od }
