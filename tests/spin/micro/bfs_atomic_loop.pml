/* A loop within an atomic sequence, out of which there is a short way. */
byte y;
active proctype P() {
	atomic { do :: y = 1 -> assert(y == 2) :: y = 2 od }
}
