/* Receiving from a channel variable that names none. */
chan c;
active proctype A() { byte x; c?x }
