/* Atomic sequences that stop in their midst, with a rendezvous within. */
chan c = [0] of {byte};
byte x, y, n;
active proctype P() {
	atomic { x = 1; c!1; x = 2; y == 2 -> x = 3 };
	assert(n < 3)
}
active proctype Q() { end: do :: atomic { c?y -> n++ } :: atomic { y > 0 -> y++; n = n + 1 } od }
