/* A sorted send is compared by the message that stands last. */
chan c = [3] of { byte };
active proctype A() { c!!3; c!!1; c!!2 }
trace { c!3; c!3; c!3 }
