/*
 * Mutual exclusion for N processes, after Peterson (1981): the filter lock.
 *
 * A process climbs N - 1 levels; on each the last one to arrive waits until
 * nobody else is as high or a newcomer takes over its place. The others are
 * looked at one by one, not in one step.
 *
 *   N     processes
 *   BUG   the last arrival is announced before the level, not after it
 *
 * Checked: one process in the critical section (assertion), no deadlock;
 * ltl served: the first process gets in again and again (needs weak fairness).
 */
#ifndef N
#define N 3
#endif

byte level[N];
byte latest[N];
byte inside;
bool first_inside;

active [N] proctype Process()
{
    byte j;
    byte k;

    do
    :: j = 1;
       do
       :: j < N ->
#ifdef BUG
            latest[j] = _pid;
            level[_pid] = j;
#else
            level[_pid] = j;
            latest[j] = _pid;
#endif
            k = 0;
            do
            :: k < N && (k == _pid || level[k] < j || latest[j] != _pid) -> k++
            :: k == N -> break
            od;
            j++
       :: else -> break
       od;
       inside++;
       first_inside = (_pid == 0);
       assert(inside == 1);
       first_inside = false;
       inside--;
       level[_pid] = 0
    od
}

ltl served { []<> first_inside }
