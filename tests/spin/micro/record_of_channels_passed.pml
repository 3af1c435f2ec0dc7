/* A record is passed field by field; a channel in it is the one of who passed it. */
typedef Inner { byte n = 3; chan none }
typedef Outer { byte k = 4; chan c = [1] of {int}; Inner inner; byte z }
byte sum;
proctype Other(Outer o; byte x) {
	chan own = [2] of {byte};
	own!x;
	o.c!x;
	sum = o.k + o.z + o.inner.n
}
init {
	Outer o;
	int y;
	o.k = 7;
	o.z = 5;
	run Other(o, 3);
	run Other(o, 4);
	o.c?y;
	assert(y == 3 || y == 4);
	o.c?y
	sum == 15;
	_nr_pr == 1
}
