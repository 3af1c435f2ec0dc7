/*
 * Fischer's timed mutual exclusion in discrete time, after Lamport's account
 * (1987).
 *
 * A process that sees the lock free writes its number within D ticks, waits
 * longer than D ticks, and enters if the number is still there.
 *
 *   N     processes
 *   D     ticks a write may take
 *   W     ticks to wait before looking again; W > D is needed
 *   BUG   W = D
 *
 * Checked: one process in the critical section (assertion); time never stops,
 * so there is no deadlock; ltl used: somebody enters again and again (needs weak
 * fairness: time may pass with nobody interested).
 */
#ifndef N
#define N 3
#endif
#ifndef D
#define D 2
#endif
#ifndef W
#ifdef BUG
#define W D
#else
#define W (D + 1)
#endif
#endif

byte lock;              /* 0 or 1 + number of the process that wrote last */
byte timer[N];
bool writing[N];        /* between seeing the lock free and writing */
byte urgent;            /* writers with no time left: the clock waits for them */
byte inside;

active [N] proctype Process()
{
    do
    :: atomic { lock == 0 -> timer[_pid] = D; writing[_pid] = true };
       d_step {
           urgent = urgent - (timer[_pid] == 0);
           lock = _pid + 1;
           timer[_pid] = W;
           writing[_pid] = false
       };
       timer[_pid] == 0;
       if
       :: lock == _pid + 1 ->
            inside++;
            assert(inside == 1);
            inside--;
            lock = 0
       :: else
       fi
    od
}

active proctype Clock()
{
    byte i;

    do
    :: d_step {
           urgent == 0;
           for (i : 0 .. N - 1) {
               if
               :: timer[i] > 0 ->
                   timer[i]--;
                   urgent = urgent + (timer[i] == 0 && writing[i])
               :: else
               fi
           };
           i = 0
       }
    od
}

ltl used { []<> (inside == 1) }
