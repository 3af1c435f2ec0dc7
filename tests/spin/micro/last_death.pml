/* _last of a process that ended. */
byte x;
active proctype A() { run B(); _nr_pr == 1; x = _last }
proctype B() { skip }
