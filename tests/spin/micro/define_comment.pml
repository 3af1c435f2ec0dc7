/* A comment does not end the line of a definition. */
byte x;
#define M(v) \
  v = 1; \
  /* a comment that goes on \
     behind a continued line */ \
  v = 2
active proctype A() { M(x) }
#define K /* over
   a line */ 5
#define L 6 // on \
   and on
active proctype B() { x = K; x = L }
