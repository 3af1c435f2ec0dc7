/* A receive changes `_pid`. */
chan c = [2] of { byte };
byte x;
active proctype A() { c!3; c?_pid; assert(_pid == 3); x = _pid }
