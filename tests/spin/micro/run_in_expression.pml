/* run as part of a larger expression is refused. */
proctype B() { skip }
init { (run B() > 0) -> skip }
