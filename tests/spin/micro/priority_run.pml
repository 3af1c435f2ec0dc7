/* A process that is run has priority 1 or what `run` says, whatever its proctype says. */
byte x;
active proctype A() priority 3 { run B(); run B() priority 5; x = 4 }
proctype B() priority 9 { x = _priority }
