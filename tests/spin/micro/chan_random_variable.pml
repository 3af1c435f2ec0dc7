/* With variables only, a random receive takes the first message. */
chan c = [3] of { byte };
active proctype A() { byte x; c!1; c!2; c!3; c??x; assert(x == 1) }
