/* Of one skip behind another in an option the second is no step, unless it is the last. */
byte x = 1;
active proctype P() {
  if :: skip; true; skip; x = 0 :: x = 2; skip; skip; x = 3 :: skip; skip :: skip; L: skip; x = 4 fi;
  do :: skip; skip; break od;
  skip; skip; x = 5
}
