/* Sending to a channel variable that names none is an error of the run. */
chan c;
proctype B(chan d) { d!1 }
init { run B(c) }
