/* Several processes wait for a timeout: each is a successor. */
byte x;
active [2] proctype A() { timeout -> x++ }
