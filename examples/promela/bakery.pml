/*
 * Mutual exclusion for N processes, after Lamport (1974): the bakery.
 *
 * Tickets grow for as long as somebody is in the shop; here a customer who
 * would draw a ticket above MAX waits at the door, which keeps states finite.
 *
 *   N     processes
 *   MAX   highest ticket
 *   BUG   drawing a ticket is not announced
 *
 * Checked: one process in the critical section (assertion), no deadlock;
 * ltl served: the first process gets in again and again (fails: the door may
 * stay shut for it, also under weak fairness).
 */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 4
#endif

bool choosing[N];
byte ticket[N];
byte inside;
bool first_inside;

active [N] proctype Customer()
{
    byte j;
    byte highest;

    do
    ::
#ifndef BUG
       choosing[_pid] = true;
#endif
       highest = 0;
       j = 0;
       do
       :: j < N ->
            if
            :: ticket[j] > highest -> highest = ticket[j]
            :: else
            fi;
            j++
       :: else -> break
       od;
       if
       :: highest < MAX -> ticket[_pid] = highest + 1
       :: else -> choosing[_pid] = false; goto again
       fi;
       choosing[_pid] = false;
       j = 0;
       do
       :: j < N ->
            !choosing[j];
            (ticket[j] == 0 || ticket[j] > ticket[_pid]
                || (ticket[j] == ticket[_pid] && j >= _pid));
            j++
       :: else -> break
       od;
       inside++;
       first_inside = (_pid == 0);
       assert(inside == 1);
       first_inside = false;
       inside--;
       ticket[_pid] = 0;
again: highest = 0;
       j = 0
    od
}

ltl served { []<> first_inside }
