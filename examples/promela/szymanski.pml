/*
 * Mutual exclusion for N processes, after Szymanski (1988): first come, first
 * served up to the waiting room, with a flag of five values per process.
 *
 *   N     processes
 *   BUG   nobody waits for the lower numbers before the critical section
 *
 * Flags: 0 outside, 1 at the door, 2 waits for others to come in, 3 in the
 * doorway, 4 door closed behind.
 * Checked: one process in the critical section (assertion), no deadlock;
 * ltl served: the first process gets in again and again (needs weak fairness).
 */
#ifndef N
#define N 3
#endif

byte flag[N];
byte inside;
bool first_inside;

active [N] proctype Process()
{
    byte j;

    do
    :: flag[_pid] = 1;
       j = 0;
       do
       :: j < N -> (flag[j] < 3); j++
       :: else -> break
       od;
       flag[_pid] = 3;
       j = 0;
       do
       :: j < N && flag[j] == 1 ->
            flag[_pid] = 2;
            j = 0;
            do
            :: j < N && flag[j] == 4 -> break
            :: j < N && flag[j] != 4 -> j++
            :: j == N -> j = 0
            od;
            break
       :: j < N && flag[j] != 1 -> j++
       :: j == N -> break
       od;
       flag[_pid] = 4;
#ifndef BUG
       j = 0;
       do
       :: j < _pid -> (flag[j] < 2); j++
       :: else -> break
       od;
#endif
       inside++;
       first_inside = (_pid == 0);
       assert(inside == 1);
       first_inside = false;
       inside--;
       j = _pid + 1;
       do
       :: j < N -> (flag[j] < 2 || flag[j] > 3); j++
       :: else -> break
       od;
       flag[_pid] = 0;
       j = 0
    od
}

ltl served { []<> first_inside }
