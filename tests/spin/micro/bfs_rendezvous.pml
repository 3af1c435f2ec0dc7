/* Two rendezvous are four statements. */
chan c = [0] of {byte};
byte x, y;
active proctype P() {
	if
	:: c!1; c!2
	:: x = 1; x = 2; x = 3
	fi;
	assert(false)
}
active proctype Q() { end: do :: c?y od }
