/* A notrace that never ends is left by an event that it does not expect. */
chan q = [2] of { byte };
byte x;
active proctype A() { q!1; q!3; q?x; q!1; q?x }
notrace { do :: q!1; q!2 od }
