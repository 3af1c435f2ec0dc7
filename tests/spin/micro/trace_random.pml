/* A random receive is compared by the message that stands first. */
chan c = [3] of { byte };
active proctype A() { c!1; c!2; c!3; c??2; c?1; c?<3>; c?3 }
trace { c?1; c?1; c?3 }
