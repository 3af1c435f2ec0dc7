/* The bodies of loops keep their steps, options within do not. */
byte i, z;
byte a[2];
typedef M { byte f };
chan c = [2] of { M };
active proctype P() {
	M m;
	c!m;
	for (i : 0 .. 0) { skip; skip; true; z = 1 }
	for (i in a) { skip; skip; z = 2; if :: skip; skip; z = 3 :: z = 4 fi }
	for (m in c) { skip; skip; z = 5 }
}
