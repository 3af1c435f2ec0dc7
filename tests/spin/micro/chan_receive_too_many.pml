/* A receive of more fields than there are. */
chan c = [1] of { byte };
proctype P(chan q) { byte a, b; q?a,b }
init { run P(c); c!1 }
