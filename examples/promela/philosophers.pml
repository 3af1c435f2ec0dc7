/*
 * Dining philosophers, after Dijkstra (EWD 310).
 *
 * N philosophers share N forks, one between two neighbours. The last one
 * takes his forks in the other order, which breaks the circle of waiting.
 *
 *   N     philosophers, at least 2
 *   BUG   all take the left fork first: deadlock
 *
 * Checked: neighbours never eat together (assertion), no deadlock;
 * ltl meals: some meal is always still to come.
 */
#ifndef N
#define N 4
#endif

bool taken[N];
bool eating[N];
byte eaters;

active [N] proctype Philosopher()
{
    byte first = _pid;
    byte second = (_pid + 1) % N;

#ifndef BUG
    if
    :: _pid == N - 1 ->
        first = 0;
        second = N - 1
    :: else
    fi;
#endif
    do
    :: atomic { !taken[first] -> taken[first] = true };
       atomic { !taken[second] -> taken[second] = true };
       atomic { eating[_pid] = true; eaters++ };
       assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]);
       atomic { eating[_pid] = false; eaters-- };
       taken[second] = false;
       taken[first] = false
    od
}

ltl meals { []<> (eaters > 0) }
