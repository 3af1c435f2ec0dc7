/* Steps in the body of a loop over a channel. */
byte z;
typedef M { byte f };
chan c = [2] of { M };
active proctype P() {
	M m;
	c!m;
	for (m in c) { skip; skip; true; z = 5 }
}
