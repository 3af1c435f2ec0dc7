/* SPIN turns the options of an escape round, so that its `else` is tried first. */
active proctype A() { { skip } unless { if :: skip :: else fi } }
