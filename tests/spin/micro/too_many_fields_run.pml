/* More values than the channel has fields, but as many as those of another: an error of the run. */
chan a = [1] of { byte }; chan b = [1] of { byte, byte };
active proctype A() { b!1,2; a!5,7 }
