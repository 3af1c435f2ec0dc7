/* Statements of every kind, for their numbers. */
byte x; chan q = [2] of {byte};
typedef R { byte a; byte b[2] }
chan qq = [2] of {R};
inline inc(k) { x = x + k; x++ }
active proctype A() {
  x = 1;
  inc(2);
  L: inc(3)
}
init { byte a[3]; byte i; R r; skip; int u; int v = 3, w; byte arr[4]; R rr;
  for (i in a) { x++ }
  for (r in qq) { x = r.a }
  select(i : x .. 9);
  do
  :: atomic { x == 1 -> break }
  :: atomic { else } -> { x = 2 }
  :: x == 5 -> progress1: goto end2
  od;
  x = 1 unless x == 4;
  LL: { x = 5; x = 6 } unless { x == 9 };
  atomic { x = 7; x = 8 } unless { x == 10; x = 11 };
  do :: x == 1 -> x = 3 od unless if :: x == 3 -> x = 2 fi;
  KK: atomic { x = 17; x = 18 } unless x == 33;
  ;
  end2: 
}
