/* The end of a comment where there is none is passed over. */
byte x;
active proctype P() {
	/* one /* within another? */ */
	x = 1 */;
	x = 2
}
