/*
 * Readers and writers, after Courtois, Heymans and Parnas (1971), first
 * problem: readers go first, writers may starve.
 *
 *   R, K  readers, writers
 *   BUG   the counter of readers is not protected by its own semaphore
 *
 * Checked: a writer is alone (assertions), no deadlock;
 * ltl written: somebody writes again and again (fails: readers may take turns).
 */
#ifndef R
#define R 3
#endif
#ifndef K
#define K 2
#endif

byte mutex = 1;         /* guards readcount */
byte room = 1;          /* held by a writer, or by the readers together */
byte readcount;
byte reading;
byte writing;

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s) { s++ }

active [R] proctype Reader()
{
    byte count;

    do
    ::
#ifndef BUG
       down(mutex);
#endif
       count = readcount;
       readcount = count + 1;
       if
       :: count == 0 -> down(room)
       :: else
       fi;
#ifndef BUG
       up(mutex);
#endif
       reading++;
       assert(writing == 0);
       reading--;
#ifndef BUG
       down(mutex);
#endif
       count = readcount;
       readcount = count - 1;
       if
       :: count == 1 -> up(room)
       :: else
       fi;
#ifndef BUG
       up(mutex);
#endif
       count = 0
    od
}

active [K] proctype Writer()
{
    do
    :: down(room);
       writing++;
       assert(writing == 1 && reading == 0);
       writing--;
       up(room)
    od
}

ltl written { []<> (writing > 0) }
