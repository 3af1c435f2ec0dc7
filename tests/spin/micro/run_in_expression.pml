/* run may not be part of a larger expression. */
proctype B() { skip }
init { (run B() > 0) -> skip }
