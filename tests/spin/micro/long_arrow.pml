/* A longer arrow is an arrow, never a decrement and a comparison. */
byte x, y = 1;
active proctype P() {
	x < 2 --> x++;
	do
	:: x-->y = (x --> 5 : 6) --> break
	:: else --> x = 0
	od;
	assert(y == 5)
}
