/* One atomic sequence of many statements, or fewer statements one by one. */
byte x;
active proctype P() {
	if
	:: atomic { x = 1; x = 2; x = 3; x = 4; x = 5; x = 6 }
	:: x = 10; x = 11
	fi;
	assert(false)
}
