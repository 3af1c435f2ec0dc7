/* The same, broken. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [2] of { byte };
chan d = [1] of { byte };
proctype P(chan q) { xs q; q!1 }
proctype Q(chan q) { q!2 }
init { atomic { run P(c); run Q(c) }; (len(d) == 0); d!1 }
