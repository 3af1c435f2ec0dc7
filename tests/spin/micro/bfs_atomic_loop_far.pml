/* The same, with more to be seen on the way, and a rendezvous. */
chan c = [0] of { byte };
byte y, z;
active proctype P() {
	atomic {
		do
		:: z < 9 -> z++
		:: z >= 6 -> c!z
		:: z >= 3 && y < 4 -> z = z - 3; y++
		:: y > 2 && z > 7 -> break
		od
	};
	assert(false)
}
active proctype Q() { end: do :: c?z -> z = 9; y = 3 od }
