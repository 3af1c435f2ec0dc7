/* Without the label it is an invalid end state. */
active proctype A() { skip }
active proctype B() { false }
