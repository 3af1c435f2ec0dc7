/* len of a channel variable that names none. */
chan c;
active proctype A() { assert(len(c) == 0) }
