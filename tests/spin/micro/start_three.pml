/* Three actives die youngest first: each -end- is a step of its own. */
active [3] proctype A() { skip }
