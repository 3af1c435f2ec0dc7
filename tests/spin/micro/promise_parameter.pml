/* A promise of a channel that is a parameter. */
/* run: -o1 -o2 -o3 | -DSAFETY |  */
chan c = [1] of { byte };
chan d = [1] of { byte };
proctype P(chan q) { xs q; q!1 }
proctype Q(chan q) { q!2 }
init { atomic { run P(c); run Q(d) }; c?1; d?2 }
