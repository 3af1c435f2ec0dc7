/* Only what is written plainly, on one line and in no inline, is a choice; anything else is a loop. */
#define SIX 6
#define BRACKETS (6)
#define CHOICE(v) select(v : 1 .. 3)
inline chosen(v) { select(v : 1 .. 3) }
byte x, y_y;
active proctype P() {
	select(x : 1 .. SIX);
	select(y_y : 1 .. 3);
	select(x : 1 .. BRACKETS);
	select(x : 1
		.. 4);
	CHOICE(x);
	chosen(x);
	select
		(x : 01 .. 2)
}
