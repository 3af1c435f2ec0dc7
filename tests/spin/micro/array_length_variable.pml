/* The length of an array may be a variable: the number it is declared with, or 8. */
byte three = 3;
byte none;
byte sum = 2 + 2;
byte a[three], b[none], c[sum];
proctype Q(byte p) { byte d[p]; d[7] = 1 }
init {
	byte four = 4;
	byte e[four];
	a[2] = 1; b[7] = 1; c[7] = 1; e[3] = 1;
	run Q(2);
	e[four] = 1
}
