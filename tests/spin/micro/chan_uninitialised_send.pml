/* Sending to a channel variable that names none is an error of the run. */
chan c;
chan other = [1] of { byte };
active proctype A() { c!1 }
